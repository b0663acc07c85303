import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type KubernetesObject, StowageError } from "@stowage/machinery";
import { type Asset, renderObjects } from "@stowage/operator";
import type { Payload } from "./payload.ts";
import {
  annotationProblem,
  isClusterOperator,
  isDeletion,
  isOfProfile,
  manifestKey,
  manifestName,
  type PayloadManifest,
} from "./payload-manifest.ts";
import { parseReleaseMetadata, releaseMetadataFile } from "./release-metadata.ts";

export interface PayloadPlace {
  /** Has `release-metadata` and `manifests/`. */
  readonly directory: string;
  /** The image that the payload comes from, for the history; empty when it is not known. */
  readonly image: string;
  readonly profile: string;
}

export const defaultProfile = "self-managed-high-availability";

/**
 * Reads and checks the whole payload: whoever has it can apply it. All that is wrong with it is told at once, by file. Capabilities
 * (`capability.openshift.io/name`) are all enabled here, so that their objects are in it like any others.
 */
export async function readPayload(place: PayloadPlace): Promise<Payload> {
  const metadata = parseReleaseMetadata(await readReleaseMetadata(place.directory));
  const { version, previous, url, channels } = metadata;
  const assets = await readManifestFiles(join(place.directory, "manifests"));
  const problems: string[] = [];
  const all: PayloadManifest[] = [];
  for (const asset of assets) {
    const objects = await parseAsset(asset).catch((error: unknown) => void problems.push(messageOf(error)));
    for (const object of objects ?? []) all.push({ file: asset.name, object });
  }
  const manifests = all.filter((manifest) => isOfProfile(manifest, place.profile));
  problems.push(...manifests.flatMap(manifestProblems), ...duplicates(manifests));
  if (assets.length === 0) problems.push("manifests/ has no files that end in .yaml, .yml or .json");
  if (problems.length > 0) {
    throw new StowageError("PAYLOAD_INVALID", `payload ${version} cannot be used: ${problems.join("; ")}`);
  }
  const hash = createHash("sha256").update(JSON.stringify(manifests)).digest("base64url").slice(0, 22);
  const release = { version, image: place.image, ...(url && { url }), ...(channels && { channels: [...channels] }) };
  return { release, previous, manifests, hash };
}

export async function readReleaseMetadata(directory: string): Promise<string> {
  try {
    return await readFile(join(directory, releaseMetadataFile), "utf8");
  } catch (error) {
    throw unreadable(releaseMetadataFile, directory, error);
  }
}

async function readManifestFiles(folder: string): Promise<Asset[]> {
  try {
    const names = (await readdir(folder)).filter((name) => /\.(?:ya?ml|json)$/u.test(name)).toSorted();
    return await Promise.all(names.map(async (name) => ({ name, text: await readFile(join(folder, name), "utf8") })));
  } catch (error) {
    throw unreadable("its manifests", folder, error);
  }
}

/** Images were put in when the payload was made: a placeholder is a mistake. */
function parseAsset(asset: Asset): Promise<KubernetesObject[]> {
  return renderObjects<KubernetesObject, undefined>(asset, { context: undefined });
}

function manifestProblems(manifest: PayloadManifest): string[] {
  const problem = annotationProblem(manifest);
  if (problem !== undefined) return [`${manifest.file}: ${manifestName(manifest)}: ${problem}`];
  if (!isClusterOperator(manifest) || isDeletion(manifest)) return [];
  const { status } = manifest.object as { status?: { versions?: unknown } };
  if (Array.isArray(status?.versions) && status.versions.length > 0) return [];
  return [
    `${manifest.file}: ${manifestName(manifest)} has no status.versions, so that nobody could tell when it is done`,
  ];
}

/** Two manifests of one object would undo each other for ever. */
function duplicates(manifests: readonly PayloadManifest[]): string[] {
  const byKey = Map.groupBy(manifests, manifestKey);
  return [...byKey.values()]
    .filter(({ length }) => length > 1)
    .map((same) => `${manifestName(same[0] as PayloadManifest)} is in ${same.map(({ file }) => file).join(" and ")}`);
}

function unreadable(what: string, where: string, error: unknown): StowageError {
  const why = (error as NodeJS.ErrnoException).code ?? messageOf(error);
  return new StowageError("PAYLOAD_INVALID", `the payload cannot be read: ${what} in ${where}: ${why}`, {
    cause: error,
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
