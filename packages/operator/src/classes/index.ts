/**
 * What users of a driver see of it: its StorageClasses (`storage-class-controller.ts`, with `default-class.ts` for which of them is the
 * default), its VolumeSnapshotClasses (`volume-snapshot-class-controller.ts`), and its CSIDriver (`csi-driver-controller.ts`).
 */
export type { ClassAssets } from "./class-assets.ts";
export {
  type CsiDriverDeps,
  type CsiDriverSpec,
  csiDriverController,
  isManagedDriver,
  managedDriverAnnotation,
} from "./csi-driver-controller.ts";
export { defaultClassAnnotation, isDefaultClass } from "./default-class.ts";
export { type StorageClassDeps, type StorageClassSpec, storageClassController } from "./storage-class-controller.ts";
export {
  type VolumeSnapshotClassDeps,
  type VolumeSnapshotClassSpec,
  volumeSnapshotClassController,
} from "./volume-snapshot-class-controller.ts";
