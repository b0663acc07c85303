import {
  type Clock,
  type DeletionPolicy,
  type KubernetesObject,
  type Logger,
  type ObjectReference,
  parseTime,
} from "@stowage/machinery";
import type { SyncOutcome } from "@stowage/operator";
import { markBeingDeleted } from "./deletion-mark.ts";
import { FIELD_MANAGER, type ObjectStore } from "./object-store.ts";

/** API servers give a request up after a minute; the rest is for a process that ended, and the start of the next one. */
const RECENT_MS = 5 * 60_000;

interface AnyContent extends KubernetesObject {
  spec: { deletionPolicy: DeletionPolicy };
}

export interface LeftContentDeps<T extends AnyContent> {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly contents: Pick<ObjectStore<T>, "find" | "patch" | "delete">;
  readonly snapshots: Pick<ObjectStore<KubernetesObject>, "get" | "find">;
}

export interface LeftContent<T extends AnyContent> {
  readonly content: T;
  /** To what it belongs. */
  readonly ref: ObjectReference;
  /** The name of the content that this controller makes for what it refers to. */
  readonly ownName: string;
  /** By which the sidecar is told. */
  readonly beingDeleted: string;
}

/**
 * Deletes a content that was made for a snapshot which is not there. An API server that has begun to delete a snapshot without
 * finalizers carries on when one is added meanwhile: so a snapshot can be gone though its finalizers are answered for, and its
 * content be made after it. Or the content was on its way when the process that asked for it ended.
 *
 * Only what this controller itself made, and not long ago. That a snapshot is missing is no reason: people copy contents from other
 * clusters, restore them before their snapshots, and keep them by taking finalizers off, and their data would go.
 */
export async function deleteLeftContent<T extends AnyContent>(
  { clock, logger, contents, snapshots }: LeftContentDeps<T>,
  { content, ref, ownName, beingDeleted }: LeftContent<T>,
): Promise<SyncOutcome> {
  const { metadata, spec } = content;
  if (spec.deletionPolicy !== "Delete" || metadata.name !== ownName || metadata.deletionTimestamp !== undefined)
    return undefined;
  const snapshotRef = { namespace: ref.namespace, name: ref.name ?? "" };
  if (isThere(snapshots.get(snapshotRef), ref) || !isRecent(content, clock.nowMs())) return undefined;
  // The cache may be behind; what comes of that is seen when it has caught up.
  if (isThere(await snapshots.find(snapshotRef), ref)) return { retry: true };
  const latest = await contents.find({ name: metadata.name });
  if (latest === undefined || latest.metadata.uid !== metadata.uid || !isOwn(latest)) return undefined;
  logger.info({ content: metadata.name }, "the snapshot was gone before its content was made: the content is deleted");
  await contents.delete(await markBeingDeleted(contents, latest, beingDeleted));
  return undefined;
}

function isThere(snapshot: KubernetesObject | undefined, { uid }: ObjectReference): boolean {
  return snapshot !== undefined && snapshot.metadata.uid === uid;
}

function isRecent({ metadata }: KubernetesObject, nowMs: number): boolean {
  return nowMs - parseTime(metadata.creationTimestamp ?? "") < RECENT_MS;
}

/** The API server notes who made what, and lets nobody else say it. */
function isOwn({ metadata }: KubernetesObject): boolean {
  return (metadata.managedFields ?? []).some(({ manager, subresource }) => manager === FIELD_MANAGER && !subresource);
}
