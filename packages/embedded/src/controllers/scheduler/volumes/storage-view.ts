import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
  VolumeAttachment,
} from "@stowage/machinery";

/** What is known of storage. Claims and volumes are as they will be once all that was decided is written. */
export interface StorageView {
  claim(namespace: string, name: string): PersistentVolumeClaim | undefined;
  volume(name: string): PersistentVolume | undefined;
  volumes(): readonly PersistentVolume[];
  storageClass(name: string): StorageClass | undefined;
  driver(name: string): CSIDriver | undefined;
  csiNode(nodeName: string): CSINode | undefined;
  capacities(): readonly CSIStorageCapacity[];
  attachmentsOn(nodeName: string): readonly VolumeAttachment[];
}
