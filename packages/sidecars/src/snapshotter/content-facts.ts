import { snapshotAnnotations, type VolumeGroupSnapshotContent, type VolumeSnapshotContent } from "@stowage/machinery";
import type { ContentFacts } from "./content-step.ts";

export function snapshotFacts({ metadata, spec, status }: VolumeSnapshotContent): ContentFacts {
  const { volumeHandle, snapshotHandle } = spec.source;
  const annotation = metadata.annotations?.[snapshotAnnotations.groupSnapshotHandle];
  return {
    source: sourceOf(volumeHandle !== undefined, snapshotHandle !== undefined),
    isBound: (spec.volumeSnapshotRef.uid ?? "") !== "",
    handle: status?.snapshotHandle,
    isGroupMember: annotation !== undefined || status?.volumeGroupSnapshotHandle !== undefined,
  };
}

export function groupFacts({ spec, status }: VolumeGroupSnapshotContent): ContentFacts {
  const { volumeHandles = [], groupSnapshotHandles } = spec.source;
  return {
    source: sourceOf(volumeHandles.length > 0, groupSnapshotHandles !== undefined),
    isBound: (spec.volumeGroupSnapshotRef.uid ?? "") !== "",
    handle: status?.volumeGroupSnapshotHandle,
    isGroupMember: false,
  };
}

function sourceOf(hasVolumes: boolean, isExisting: boolean): ContentFacts["source"] {
  if (hasVolumes) return "volumes";
  return isExisting ? "existing" : "none";
}
