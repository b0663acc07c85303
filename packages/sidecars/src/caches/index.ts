/**
 * The local copies that sidecars share. Each function gives the informer of one resource, trimmed to what any sidecar reads, so
 * that several in one process have one watch and one copy. What is not needed is not asked for.
 */
export {
  csiNodeCache,
  nodeCache,
  persistentVolumeCache,
  persistentVolumeClaimCache,
  storageClassCache,
  volumeAttachmentCache,
  volumeAttributesClassCache,
} from "./caches.ts";
export { storageCapacityCache } from "./capacity-cache.ts";
export { type LatestObjects, latestObjects } from "./latest-objects.ts";
export {
  volumeGroupSnapshotCache,
  volumeGroupSnapshotClassCache,
  volumeGroupSnapshotContentCache,
  volumeSnapshotCache,
  volumeSnapshotClassCache,
  volumeSnapshotContentCache,
} from "./snapshot-caches.ts";
export { patchVolume } from "./volume-patch.ts";
