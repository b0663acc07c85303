import { isConflict, isNotFound, objectKey } from "@stowage/kube";
import {
  type KubernetesObject,
  provisioningFinalizers,
  snapshotReasons as reasons,
  snapshotAnnotations,
  snapshotFinalizers,
  type VolumeGroupSnapshot,
  type VolumeSnapshot,
  type VolumeSnapshotContent,
} from "@stowage/machinery";
import type { SyncOutcome } from "@stowage/operator";
import { failureText, memberContentName, owningGroupName } from "../snapshots/index.ts";
import { refersTo } from "./binding.ts";
import { releaseClaim } from "./claim-protection.ts";
import { markBeingDeleted } from "./deletion-mark.ts";
import { contentNameOf } from "./desired-content.ts";
import { indexes } from "./indexes.ts";
import type { Looked } from "./object-store.ts";
import { startDeletion } from "./snapshot-operations.ts";
import type { World } from "./world.ts";

const ours: readonly string[] = [snapshotFinalizers.asSource, snapshotFinalizers.bound, snapshotFinalizers.inGroup];

/**
 * Lets a snapshot go once nothing hangs on it. By its content's policy the content goes first, and with it, by the sidecar, what is
 * in the storage; or it stays, marked so that it can be deleted later.
 */
export async function deleteSnapshot(world: World, snapshot: VolumeSnapshot): Promise<SyncOutcome> {
  if (!(snapshot.metadata.finalizers ?? []).some((finalizer) => ours.includes(finalizer))) return undefined;
  startDeletion(world, snapshot);
  const { object: content, isWatched } = await contentOf(world, snapshot);
  if (content !== undefined && isBeingRestored(world, snapshot)) {
    pending(world, snapshot, restoreText(world, snapshot));
    return { retry: true };
  }
  const group = livingGroupOf(world, snapshot);
  if (group !== undefined) {
    // While the group itself goes this is but a moment.
    if (group.metadata.deletionTimestamp === undefined) pending(world, snapshot, memberText(snapshot, group));
    return { retry: true };
  }
  if (content !== undefined) {
    const marked = await markBeingDeleted(world.contents, content, snapshotAnnotations.beingDeleted);
    if (content.spec.deletionPolicy === "Delete") {
      await deleteContent(world, snapshot, marked);
      // When it is gone the snapshot is looked at again.
      return isWatched ? undefined : { retry: true };
    }
  }
  return await releaseSnapshot(world, snapshot);
}

/** The content that points back; no other is touched. */
async function contentOf({ contents }: World, snapshot: VolumeSnapshot): Promise<Looked<VolumeSnapshotContent>> {
  const { status, spec, metadata } = snapshot;
  const fixedName =
    owningGroupName(snapshot) === undefined ? contentNameOf(snapshot) : memberContentName(metadata.name ?? "");
  const name =
    status?.boundVolumeSnapshotContentName ??
    (spec.source.persistentVolumeClaimName === undefined ? spec.source.volumeSnapshotContentName : fixedName);
  if (name === undefined) return { object: undefined, isWatched: false };
  const { object: content, isWatched } = await contents.look({ name });
  const isOurs = content !== undefined && refersTo(content.spec.volumeSnapshotRef, metadata);
  return { object: isOurs ? content : undefined, isWatched };
}

/** A claim waits for it, or a provisioner has begun for a claim that is gone by now. */
export function isBeingRestored({ claims }: World, snapshot: KubernetesObject): boolean {
  const isHeld = snapshot.metadata.finalizers?.includes(provisioningFinalizers.snapshotSourceProtection) ?? false;
  return isHeld || claims.cached.byIndex(indexes.pendingRestores, objectKey(snapshot)).length > 0;
}

function restoreText({ claims }: World, snapshot: VolumeSnapshot): string {
  const waiting = claims.cached.byIndex(indexes.pendingRestores, objectKey(snapshot));
  const names = waiting.map(({ metadata }) => metadata.name).join(", ");
  const until = waiting.length > 0 ? `${names} is bound or deleted` : "the provisioner is done with it";
  return `Snapshot is being used to restore a PVC. It is deleted when ${until}.`;
}

function livingGroupOf({ groups }: World, snapshot: VolumeSnapshot): VolumeGroupSnapshot | undefined {
  const name = snapshot.status?.volumeGroupSnapshotName ?? owningGroupName(snapshot);
  return name === undefined ? undefined : groups?.snapshots.get({ namespace: snapshot.metadata.namespace, name });
}

function pending({ events }: World, snapshot: VolumeSnapshot, message: string): void {
  events.event(snapshot, "Warning", reasons.deletePending, message);
}

function memberText(snapshot: VolumeSnapshot, group: VolumeGroupSnapshot): string {
  return (
    `deletion of the individual volume snapshot ${objectKey(snapshot)} is not allowed as it belongs to group snapshot ` +
    `${objectKey(group)}. Delete the group snapshot: its members go with it.`
  );
}

async function deleteContent(
  { contents, events }: World,
  snapshot: VolumeSnapshot,
  content: VolumeSnapshotContent,
): Promise<void> {
  if (content.metadata.deletionTimestamp !== undefined) return;
  try {
    await contents.delete(content);
  } catch (error) {
    const message = `Failed to delete snapshot content API object ${content.metadata.name}: ${failureText(error)}`;
    events.event(snapshot, "Warning", reasons.contentDeleteError, message);
    throw error;
  }
}

/** The claim first: once the snapshot is gone, nothing would bring us back to it. */
async function releaseSnapshot(world: World, snapshot: VolumeSnapshot): Promise<SyncOutcome> {
  try {
    await releaseClaim(world, snapshot, snapshot);
  } catch (error) {
    if (isConflict(error)) throw error;
    const message = `Failed to take the finalizer off the PVC: ${failureText(error)}. It is tried again.`;
    world.events.event(snapshot, "Warning", reasons.claimFinalizerError, message);
    throw error;
  }
  const finalizers = (snapshot.metadata.finalizers ?? []).filter((finalizer) => !ours.includes(finalizer));
  await world.snapshots.edit(snapshot, { metadata: { finalizers } }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
  return undefined;
}
