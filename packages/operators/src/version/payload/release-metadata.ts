import { StowageError } from "@stowage/machinery";
import { parseSemanticVersion } from "./semantic-version.ts";

/** What the file `release-metadata` says of a payload. */
export interface ReleaseMetadata {
  readonly version: string;
  /** The versions that this one was made to be reached from; none means that nothing is known. */
  readonly previous: readonly string[];
  readonly url?: string;
  readonly channels?: readonly string[];
}

export const releaseMetadataFile = "release-metadata";

const kind = "cincinnati-metadata-v0";
const channelsKey = "io.openshift.upgrades.graph.release.channels";

export function parseReleaseMetadata(text: string): ReleaseMetadata {
  const document = parseJson(text);
  if (document["kind"] !== undefined && document["kind"] !== kind) throw invalid(`its kind is not ${kind}`);
  const { version, previous } = document;
  if (typeof version !== "string" || parseSemanticVersion(version) === undefined) {
    throw invalid("its version is not a semantic version such as 1.2.3");
  }
  if (previous !== undefined && !isStringList(previous)) throw invalid("its previous is not a list of versions");
  return { version, previous: previous ?? [], ...furtherFacts(document["metadata"]) };
}

function furtherFacts(metadata: unknown): Pick<ReleaseMetadata, "url" | "channels"> {
  if (!isFields(metadata)) return {};
  const { url, [channelsKey]: channels } = metadata;
  return {
    ...(typeof url === "string" ? { url } : {}),
    ...(typeof channels === "string" && channels !== "" ? { channels: channels.split(",").toSorted() } : {}),
  };
}

function parseJson(text: string): Record<string, unknown> {
  try {
    const document: unknown = JSON.parse(text);
    if (isFields(document)) return document;
  } catch (error) {
    throw invalid("it is not JSON", error);
  }
  throw invalid("it is not a JSON object");
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isStringList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function invalid(why: string, cause?: unknown): StowageError {
  return new StowageError("PAYLOAD_INVALID", `${releaseMetadataFile} cannot be used: ${why}`, { cause });
}
