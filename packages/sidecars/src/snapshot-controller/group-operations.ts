import { objectKey } from "@stowage/kube";
import type { VolumeGroupSnapshot } from "@stowage/machinery";
import { groupSnapshotOperations as names, type OperationLabels } from "./operation-metrics.ts";
import type { GroupWorld, World } from "./world.ts";

export function startGroupCreation({ operations }: World, groups: GroupWorld, group: VolumeGroupSnapshot): void {
  const { uid = "" } = group.metadata;
  const labels = labelsOf(groups, group);
  groups.seen.set(objectKey(group), uid);
  if (group.status?.creationTime === undefined) operations.start({ name: names.create, uid }, labels);
  operations.start({ name: names.createAndReady, uid }, labels);
}

export function startGroupDeletion({ operations }: World, groups: GroupWorld, group: VolumeGroupSnapshot): void {
  const { uid = "" } = group.metadata;
  groups.seen.set(objectKey(group), uid);
  operations.start({ name: names.delete, uid }, labelsOf(groups, group));
}

export function endGroupOperations({ operations }: World, { seen }: GroupWorld, key: string): undefined {
  const uid = seen.get(key);
  if (uid === undefined) return undefined;
  seen.delete(key);
  operations.succeed({ name: names.delete, uid });
  operations.cancel({ name: names.create, uid });
  operations.cancel({ name: names.createAndReady, uid });
  return undefined;
}

function labelsOf({ contents, classes }: GroupWorld, { spec }: VolumeGroupSnapshot): OperationLabels {
  const contentName = spec.source.volumeGroupSnapshotContentName;
  const content = contentName === undefined ? undefined : contents.get({ name: contentName });
  const driver = content?.spec.driver ?? classes.get({ name: spec.volumeGroupSnapshotClassName ?? "" })?.driver ?? "";
  return { driver, type: contentName === undefined ? "dynamic" : "pre-provisioned" };
}
