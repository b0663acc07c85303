import { objectKey } from "@stowage/kube";
import {
  groupSnapshotReasons as reasons,
  type VolumeGroupSnapshot,
  type VolumeGroupSnapshotContent,
} from "@stowage/machinery";
import type { SyncOutcome } from "@stowage/operator";
import { mirroredGroupStatus } from "./mirrored-status.ts";
import { groupSnapshotOperations as operations } from "./operation-metrics.ts";
import type { GroupWorld, World } from "./world.ts";

interface Pair {
  readonly group: VolumeGroupSnapshot;
  readonly content: VolumeGroupSnapshotContent;
}

/** Has the group say what its content says. */
export async function mirrorGroupContent(
  world: World,
  { snapshots }: GroupWorld,
  { group, content }: Pair,
): Promise<SyncOutcome> {
  const change = mirroredGroupStatus(group.status, content);
  if (change === undefined) return undefined;
  await snapshots.editStatus(group, change.change);
  const key = objectKey(group);
  const uid = group.metadata.uid ?? "";
  if (change.isCreated) {
    const message = `GroupSnapshot ${key} was successfully created by the CSI driver.`;
    world.events.event(group, "Normal", reasons.created, message);
    world.operations.succeed({ name: operations.create, uid }, content.spec.driver);
  }
  if (change.isReady) {
    world.events.event(group, "Normal", reasons.ready, `GroupSnapshot ${key} is ready to use.`);
    world.operations.succeed({ name: operations.createAndReady, uid }, content.spec.driver);
  }
  return undefined;
}
