import type { ResourceTag, StowageError } from "@stowage/machinery";
import { type CloudAnswer, elementsIn, elementText } from "../cloud-config/index.ts";
import { awsErrorCode, awsFailure } from "./aws-answer.ts";
import type { AwsSession } from "./aws-session.ts";

/**
 * `missing`: one of them is not there. A failure: what AWS has against one of them, too many tags for instance. What would be so for any
 * other is thrown. In all these cases none of them is tagged.
 */
export type TaggingOutcome = "tagged" | "missing" | StowageError;

/** The seam to what is tagged: tags that are there already under other keys stay. */
export type TagResources = (
  session: AwsSession,
  work: { readonly ids: readonly string[]; readonly tags: readonly ResourceTag[] },
  signal: AbortSignal,
) => Promise<TaggingOutcome>;

/** Who asks may not, whatever it is about. */
const DENIED = new Set([401, 403]);
const EC2_VERSION = "2016-11-15";
/** As many as EC2 gives at once. */
const PAGE_SIZE = 1000;

/** Volumes of EBS, in one request for all of them that lack a tag: EC2 allows few writes, and more reads. */
export const tagVolumes: TagResources = async (session, { ids, tags }, signal) => {
  const known = await tagsOfVolumes(session, ids, signal);
  const lacking = ids.filter((id) => tags.some(({ key, value }) => known.get(id)?.get(key) !== value));
  if (lacking.length === 0) return "tagged";
  const what = `to tag ${counted(lacking, "volume")}`;
  const form = {
    Action: "CreateTags",
    Version: EC2_VERSION,
    ...Object.fromEntries(lacking.map((id, index) => [`ResourceId.${index + 1}`, id])),
    ...Object.fromEntries(
      tags.flatMap(({ key, value }, index) => [
        [`Tag.${index + 1}.Key`, key],
        [`Tag.${index + 1}.Value`, value],
      ]),
    ),
  };
  return outcomeOf(await session({ what, service: "ec2", form }, signal), what, "InvalidVolume.NotFound");
};

async function tagsOfVolumes(
  session: AwsSession,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, Map<string, string>>> {
  const what = `for the tags of ${counted(ids, "volume")}`;
  const filters = {
    "Filter.1.Name": "resource-id",
    ...Object.fromEntries(ids.map((id, index) => [`Filter.1.Value.${index + 1}`, id])),
    "Filter.2.Name": "resource-type",
    "Filter.2.Value.1": "volume",
  };
  const found = new Map<string, Map<string, string>>();
  let next: string | undefined;
  do {
    const page = { MaxResults: String(PAGE_SIZE), ...(next && { NextToken: next }) };
    const form = { Action: "DescribeTags", Version: EC2_VERSION, ...filters, ...page };
    const answer = await session({ what, service: "ec2", form }, signal);
    if (awsErrorCode(answer) !== undefined) throw awsFailure(answer, what);
    for (const item of elementsIn(answer.text, "item")) {
      const [id = "", key = "", value = ""] = ["resourceId", "key", "value"].map((name) => elementText(item, name));
      const tags = found.get(id) ?? new Map<string, string>();
      found.set(id, tags.set(key, value));
    }
    next = elementText(answer.text, "nextToken");
  } while (next);
  return found;
}

/** Access points of EFS, which takes one at a time. */
export const tagAccessPoints: TagResources = async (session, { ids, tags }, signal) => {
  const body = { Tags: tags.map(({ key, value }) => ({ Key: key, Value: value })) };
  for (const id of ids) {
    const what = `to tag the access point ${id}`;
    const path = `/2015-02-01/resource-tags/${encodeURIComponent(id)}`;
    const answer = await session({ what, service: "elasticfilesystem", path, body }, signal);
    const outcome = outcomeOf(answer, what, "AccessPointNotFound");
    if (outcome !== "tagged") return outcome;
  }
  return "tagged";
};

function outcomeOf(answer: CloudAnswer, what: string, missingCode: string): TaggingOutcome {
  const code = awsErrorCode(answer);
  if (code === undefined) return "tagged";
  if (code === missingCode) return "missing";
  const failure = awsFailure(answer, what);
  if (failure.code === "CLOUD_REFUSED" && !DENIED.has(answer.status)) return failure;
  throw failure;
}

function counted(ids: readonly string[], noun: string): string {
  return ids.length === 1 ? `the ${noun} ${ids[0]}` : `${ids.length} ${noun}s`;
}
