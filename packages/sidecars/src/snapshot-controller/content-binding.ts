import { snapshotFinalizers, type VolumeSnapshot, type VolumeSnapshotContent } from "@stowage/machinery";
import type { World } from "./world.ts";

/** What a hand-made content must get to be the snapshot's; undefined when it has it. The finalizer comes in the same go. */
export function missingBinding(
  { metadata, spec }: VolumeSnapshotContent,
  snapshot: VolumeSnapshot,
): { metadata?: object; spec?: object } | undefined {
  const isBound = (spec.volumeSnapshotRef.uid ?? "") !== "";
  const { volumeSnapshotClassName: className } = snapshot.spec;
  const needsClass =
    className !== undefined &&
    className !== spec.volumeSnapshotClassName &&
    (!isBound || spec.volumeSnapshotClassName === undefined);
  if (isBound && !needsClass) return undefined;
  const { finalizers = [], deletionTimestamp } = metadata;
  const needsFinalizer = deletionTimestamp === undefined && !finalizers.includes(snapshotFinalizers.content);
  return {
    ...(needsFinalizer && { metadata: { finalizers: [...finalizers, snapshotFinalizers.content] } }),
    spec: {
      ...(!isBound && { volumeSnapshotRef: { uid: snapshot.metadata.uid } }),
      ...(needsClass && { volumeSnapshotClassName: className }),
    },
  };
}

export async function bindContent(
  { contents }: World,
  content: VolumeSnapshotContent,
  snapshot: VolumeSnapshot,
): Promise<VolumeSnapshotContent> {
  const change = missingBinding(content, snapshot);
  return change === undefined ? content : await contents.edit(content, change);
}
