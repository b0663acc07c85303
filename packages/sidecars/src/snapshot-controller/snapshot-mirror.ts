import { objectKey } from "@stowage/kube";
import { snapshotReasons as reasons, type VolumeSnapshot, type VolumeSnapshotContent } from "@stowage/machinery";
import type { SyncOutcome } from "@stowage/operator";
import { releaseClaim } from "./claim-protection.ts";
import { indexes } from "./indexes.ts";
import { mirroredStatus } from "./mirrored-status.ts";
import { snapshotOperations } from "./operation-metrics.ts";
import type { World } from "./world.ts";

/** Has the snapshot say what its content says. */
export async function mirrorContent(
  world: World,
  snapshot: VolumeSnapshot,
  content: VolumeSnapshotContent,
): Promise<SyncOutcome> {
  const waitMs = bindingWaitMs(world, snapshot, content);
  if (waitMs > 0) return { requeueAfterMs: waitMs };
  const group = groupNameOf(world, content);
  if (group === "unknown") return { retry: true };
  const change = mirroredStatus(snapshot.status, content, group.name);
  if (change === undefined) return undefined;
  const written = await world.snapshots.editStatus(snapshot, change.change);
  const key = objectKey(snapshot);
  const uid = snapshot.metadata.uid ?? "";
  if (change.isCreated) {
    const message = `Snapshot ${key} was successfully created by the CSI driver.`;
    world.events.event(snapshot, "Normal", reasons.created, message);
    world.operations.succeed({ name: snapshotOperations.create, uid }, content.spec.driver);
  }
  if (change.isReady) {
    world.events.event(snapshot, "Normal", reasons.ready, `Snapshot ${key} is ready to use.`);
    world.operations.succeed({ name: snapshotOperations.createAndReady, uid }, content.spec.driver);
    await releaseClaim(world, written);
  }
  return undefined;
}

function bindingWaitMs(
  { bindAfterMs, clock }: World,
  { metadata, status }: VolumeSnapshot,
  content: VolumeSnapshotContent,
): number {
  const uid = metadata.uid ?? "";
  const dueMs = bindAfterMs.get(uid);
  if (dueMs === undefined) return 0;
  const leftMs = dueMs - clock.monotonicMs();
  if (content.status === undefined && status?.error === undefined && leftMs > 0) return leftMs;
  bindAfterMs.delete(uid);
  return 0;
}

/** Found by the driver's id of the group, which the content of a member has: it may not be there yet. */
function groupNameOf({ groups }: World, { status }: VolumeSnapshotContent): { name?: string } | "unknown" {
  const handle = status?.volumeGroupSnapshotHandle;
  if (handle === undefined || groups === undefined) return {};
  const [group] = groups.contents.cached.byIndex(indexes.groupHandle, handle);
  return group === undefined ? "unknown" : { name: group.spec.volumeGroupSnapshotRef.name };
}
