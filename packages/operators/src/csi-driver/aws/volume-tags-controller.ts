import { type AWSPlatformStatus, type PolicyRule, persistentVolumes, StowageError } from "@stowage/machinery";
import { type ClusterFacts, type OperatorController, operatorController, type SyncOutcome } from "@stowage/operator";
import { openAwsSession, type TagResources } from "../../aws/index.ts";
import { createCloudHttp } from "../../cloud-config/index.ts";
import { mayAll } from "../../rights/rule-list.ts";
import type { DriverOperatorContext } from "../driver-context.ts";
import { TagRetries } from "./tag-retries.ts";
import { tagBatches } from "./tagging.ts";
import { desiredBatches, type TaggedVolume, tagsHash, untaggedVolume, type VolumeChoice } from "./volume-tags.ts";

export interface VolumeTagsSpec extends VolumeChoice {
  /** Of the controller. */
  readonly name: string;
  /** Of the events about what could not be tagged. */
  readonly failureReason: string;
  readonly batchSize: number;
  /** Between two tries for a volume that cannot be tagged. */
  readonly longestWaitMs: number;
  /** Secret with the credentials, in the driver's namespace. */
  readonly credentials: string;
  /** Of whoever asks, in AWS' own log. */
  readonly sessionName: string;
  readonly tagResources: TagResources;
  isWanted(facts: ClusterFacts): boolean;
  /** In PEM: an authority of the cloud's own. */
  authority(): string | undefined;
}

/** In the whole cluster: volumes are listed when tags may have changed, and marked when they have them. */
export const volumeTagsRules: readonly PolicyRule[] = [mayAll(persistentVolumes, "list", "patch")];

const RESYNC_MS = 30 * 60_000;
const PAGE_SIZE = 500;

/**
 * Gives volumes that are there already the tags that the Infrastructure has by now. Tags that it has no more stay, as with the
 * originals: nobody knows whose they are. Watches: the operator's resource, the Infrastructure. Writes: on each volume that has the tags
 * an annotation with their hash, and events about what could not be tagged; no condition. Deletes: nothing.
 */
export function volumeTagsController(context: DriverOperatorContext, spec: VolumeTagsSpec): OperatorController {
  const { deps, operator, facts } = context;
  const retries = new TagRetries(deps.clock, spec.longestWaitMs);
  const memory: Memory = { retries, latest: undefined };
  return operatorController(
    { ...deps, operator },
    {
      name: spec.name,
      watches: [facts],
      resyncMs: RESYNC_MS,
      reportsDegraded: false,
      sync: ({ signal }) => syncVolumeTags({ context, spec, memory }, signal),
    },
  );
}

interface Memory {
  readonly retries: TagRetries;
  /** Volumes are listed again for other tags, and else not before this time: there may be ten thousand. */
  latest: { readonly hash: string; readonly againAtMs: number } | undefined;
}

interface Tagging {
  readonly context: DriverOperatorContext;
  readonly spec: VolumeTagsSpec;
  readonly memory: Memory;
}

async function syncVolumeTags(tagging: Tagging, signal: AbortSignal): Promise<SyncOutcome | void> {
  const { context, spec, memory } = tagging;
  const { clock } = context.deps;
  const facts = await context.facts.current(signal);
  const { aws: platform = {} } = facts.platformStatus;
  const tags = platform.resourceTags ?? [];
  if (!spec.isWanted(facts) || !platform.region || tags.length === 0) return;
  const hash = tagsHash(tags);
  const { retries, latest } = memory;
  const waitMs = latest?.hash === hash ? latest.againAtMs - clock.monotonicMs() : 0;
  if (waitMs > 0) return { requeueAfterMs: waitMs };
  const untagged = await untaggedVolumes(tagging, hash, signal);
  // What was wrong with the tags before may be put right.
  retries.keepOnly(new Set(latest?.hash === hash ? untagged.map(({ name }) => name) : []));
  const batches = desiredBatches(untagged, {
    batchSize: spec.batchSize,
    isDue: (name) => retries.isDue(name),
    isAlone: (name) => retries.isAlone(name),
  });
  if (batches.length > 0) {
    const open = () => openTagging(tagging, platform, signal);
    const deps = { ...context.deps, ...spec, retries, missingForMs: RESYNC_MS };
    await tagBatches(deps, { batches, tags, hash }, { open, signal });
  }
  const requeueAfterMs = Math.min(retries.nextInMs() ?? RESYNC_MS, RESYNC_MS);
  memory.latest = { hash, againAtMs: clock.monotonicMs() + requeueAfterMs };
  return { requeueAfterMs };
}

async function untaggedVolumes({ context, spec }: Tagging, hash: string, signal: AbortSignal): Promise<TaggedVolume[]> {
  const found: TaggedVolume[] = [];
  for await (const { items } of context.deps.client.listPages(persistentVolumes, { limit: PAGE_SIZE, signal })) {
    found.push(...items.flatMap((volume) => untaggedVolume(volume, spec, hash)));
  }
  return found;
}

async function openTagging({ context, spec }: Tagging, platform: AWSPlatformStatus, signal: AbortSignal) {
  const { deps, namespace, secrets } = context;
  const { credentials: name, sessionName } = spec;
  const secret = secrets.objects.get({ namespace, name });
  if (secret === undefined) {
    throw new StowageError("CLOUD_CONFIG_INVALID", `there is no Secret ${namespace}/${name}`);
  }
  const authority = spec.authority();
  const http = createCloudHttp({ isVerified: true, env: deps.env, ...(authority !== undefined && { authority }) });
  const session = await openAwsSession({ ...deps, http, sessionName }, { platform, secret }, signal);
  return (ids: readonly string[], tags: TaggingTags) => spec.tagResources(session, { ids, tags }, signal);
}

type TaggingTags = Parameters<TagResources>[1]["tags"];
