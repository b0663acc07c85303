import { objectKey } from "@stowage/kube";
import type { VolumeSnapshot } from "@stowage/machinery";
import { snapshotOperations as names, type OperationLabels } from "./operation-metrics.ts";
import type { World } from "./world.ts";

/** From the first time that it is seen until it is made and ready. */
export function startCreation(world: World, snapshot: VolumeSnapshot): void {
  const { uid = "" } = snapshot.metadata;
  const labels = labelsOf(world, snapshot);
  world.seen.set(objectKey(snapshot), uid);
  if (snapshot.status?.creationTime === undefined) world.operations.start({ name: names.create, uid }, labels);
  world.operations.start({ name: names.createAndReady, uid }, labels);
}

export function startDeletion(world: World, snapshot: VolumeSnapshot): void {
  const { uid = "" } = snapshot.metadata;
  world.seen.set(objectKey(snapshot), uid);
  world.operations.start({ name: names.delete, uid }, labelsOf(world, snapshot));
}

/** It is gone: what it waited for will not come. */
export function endOperations({ seen, operations, bindAfterMs }: World, key: string): undefined {
  const uid = seen.get(key);
  if (uid === undefined) return undefined;
  seen.delete(key);
  bindAfterMs.delete(uid);
  operations.succeed({ name: names.delete, uid });
  operations.cancel({ name: names.create, uid });
  operations.cancel({ name: names.createAndReady, uid });
  return undefined;
}

function labelsOf({ contents, classes }: World, { spec }: VolumeSnapshot): OperationLabels {
  const contentName = spec.source.volumeSnapshotContentName;
  const content = contentName === undefined ? undefined : contents.get({ name: contentName });
  const driver = content?.spec.driver ?? classes.get({ name: spec.volumeSnapshotClassName ?? "" })?.driver ?? "";
  return { driver, type: contentName === undefined ? "dynamic" : "pre-provisioned" };
}
