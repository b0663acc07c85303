import { type DeletionPolicy, snapshotFinalizers, type VolumeSnapshot } from "@stowage/machinery";
import { groupOwnerReference, owningGroupName } from "../snapshots/index.ts";
import type { World } from "./world.ts";

/** What a living snapshot must have; undefined when it has it all. Written in one go. */
export function missingProtection(
  { metadata, spec }: VolumeSnapshot,
  deletionPolicy: DeletionPolicy,
  className?: string,
): { metadata?: object; spec?: object } | undefined {
  const has = metadata.finalizers ?? [];
  const wanted = [snapshotFinalizers.asSource, ...(deletionPolicy === "Delete" ? [snapshotFinalizers.bound] : [])];
  const missing = wanted.filter((finalizer) => !has.includes(finalizer));
  const needsClass = className !== undefined && spec.volumeSnapshotClassName === undefined;
  if (missing.length === 0 && !needsClass) return undefined;
  return {
    ...(missing.length > 0 && { metadata: { finalizers: [...has, ...missing] } }),
    ...(needsClass && { spec: { volumeSnapshotClassName: className } }),
  };
}

export async function protectSnapshot(
  { snapshots }: World,
  snapshot: VolumeSnapshot,
  deletionPolicy: DeletionPolicy,
  className?: string,
): Promise<VolumeSnapshot> {
  const change = missingProtection(snapshot, deletionPolicy, className);
  return change === undefined ? snapshot : await snapshots.edit(snapshot, change);
}

/** A member that was written by hand becomes its group's, so that it goes with the group. */
export async function joinGroup({ snapshots, groups }: World, snapshot: VolumeSnapshot): Promise<void> {
  const name = snapshot.status?.volumeGroupSnapshotName ?? "";
  if (name === "" || owningGroupName(snapshot) !== undefined) return;
  const group = groups?.snapshots.get({ namespace: snapshot.metadata.namespace, name });
  if (group === undefined) return;
  const ownerReferences = [...(snapshot.metadata.ownerReferences ?? []), groupOwnerReference(group)];
  await snapshots.edit(snapshot, { metadata: { ownerReferences } });
}
