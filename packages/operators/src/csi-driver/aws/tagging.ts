import { isNotFound, type KubeClient } from "@stowage/kube";
import { type Clock, type Logger, persistentVolumes, type ResourceTag } from "@stowage/machinery";
import type { OperatorEvents } from "@stowage/operator";
import type { TaggingOutcome } from "../../aws/index.ts";
import { CloudPatience } from "../../cloud-config/index.ts";
import type { TagRetries } from "./tag-retries.ts";
import type { TaggedVolume } from "./volume-tags.ts";

export interface TaggingDeps {
  readonly client: Pick<KubeClient, "patch">;
  readonly events: Pick<OperatorEvents, "warning">;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly retries: TagRetries;
  /** Of the events about what could not be tagged. */
  readonly failureReason: string;
  /** On a PersistentVolume, for the hash of the tags that it has in AWS. */
  readonly annotation: string;
  /** One that is not in AWS is looked for again only so much later. */
  readonly missingForMs: number;
}

export interface TaggingPlan {
  readonly batches: readonly (readonly TaggedVolume[])[];
  readonly tags: readonly ResourceTag[];
  readonly hash: string;
}

type Tag = (ids: readonly string[], tags: readonly ResourceTag[]) => Promise<TaggingOutcome>;

/** Tags what is planned. What fails is tried again later, and told; so nothing but an end of the process is thrown. */
export async function tagBatches(
  deps: TaggingDeps,
  { batches, tags, hash }: TaggingPlan,
  { open, signal }: { readonly open: () => Promise<Tag>; readonly signal: AbortSignal },
): Promise<void> {
  const left = [...batches];
  try {
    const tag = await open();
    const patience = new CloudPatience(deps.clock);
    const tagPatiently = (ids: readonly string[]) => patience.call(() => tag(ids, tags), signal);
    for (const batch of batches) {
      await tagBatch(deps, batch, { tag: tagPatiently, hash, signal });
      left.shift();
    }
  } catch (error) {
    signal.throwIfAborted();
    // Without credentials or rights, or before a cloud that is busy, the others would fare no better.
    for (const batch of left) failed(deps, batch, { error, isAlone: false });
  }
}

interface BatchTagging {
  readonly tag: (ids: readonly string[]) => Promise<TaggingOutcome>;
  readonly hash: string;
  readonly signal: AbortSignal;
}

/** Throws what is not about these volumes. */
async function tagBatch(
  deps: TaggingDeps,
  batch: readonly TaggedVolume[],
  { tag, hash, signal }: BatchTagging,
): Promise<void> {
  const { retries, logger, missingForMs } = deps;
  const outcome = await tag(batch.map(({ id }) => id));
  if (outcome === "tagged") {
    for (const volume of batch) await mark(deps, volume, hash, signal);
    logger.info({ volumes: batch.length }, "volumes have the cluster's tags");
    return;
  }
  const [{ name, id } = { name: "", id: "" }, ...others] = batch;
  if (others.length > 0) {
    // Which of them it is shows by halves, in fewer requests than one for each.
    const half = Math.ceil(batch.length / 2);
    for (const part of [batch.slice(0, half), batch.slice(half)]) await tagBatch(deps, part, { tag, hash, signal });
  } else if (outcome === "missing") {
    logger.warn({ pv: name, id }, "a volume to be tagged is not in AWS");
    retries.rest(name, missingForMs);
  } else {
    failed(deps, batch, { error: outcome, isAlone: true });
  }
}

async function mark(deps: TaggingDeps, { name }: TaggedVolume, hash: string, signal: AbortSignal): Promise<void> {
  const { client, annotation, retries, logger } = deps;
  const patch = { metadata: { annotations: { [annotation]: hash } } };
  try {
    await client.patch(persistentVolumes, { name }, { type: "merge", patch }, { signal });
    retries.forget(name);
  } catch (error) {
    signal.throwIfAborted();
    if (isNotFound(error)) return;
    logger.error({ pv: name, err: error }, "a volume has its tags, and could not be marked");
    retries.failed(name, true);
  }
}

interface Failure {
  readonly error: unknown;
  readonly isAlone: boolean;
}

/** An event has room for so many names. */
const SHOWN_NAMES = 5;

function failed(deps: TaggingDeps, batch: readonly TaggedVolume[], { error, isAlone }: Failure): void {
  const names = batch.map(({ name }) => name);
  for (const name of names) deps.retries.failed(name, isAlone);
  const reason = error instanceof Error ? error.message : String(error);
  deps.logger.error({ volumes: names, err: error }, "volumes could not be tagged");
  const shown = [...names.slice(0, SHOWN_NAMES), ...(names.length > SHOWN_NAMES ? ["…"] : [])].join(" ");
  const what = names.length === 1 ? `volume ${shown}` : `batch [${shown}] of ${names.length} volumes`;
  deps.events.warning(deps.failureReason, `failed to update tags for ${what}: ${reason}`);
}
