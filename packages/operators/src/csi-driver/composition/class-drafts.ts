import type { CSIDriver, KubernetesObject, StorageClass, VolumeSnapshotClass } from "@stowage/machinery";
import { type Asset, managedDriverAnnotation } from "@stowage/operator";
import type { Draft } from "./draft.ts";
import type { DriverComposition } from "./driver-composition.ts";

/** What users see: the CSIDriver, and a class for each of the driver's patches that is named after one. */
export function classDrafts({ driverName }: DriverComposition, patches: readonly Asset[]): Draft[] {
  return [
    { stem: "csidriver", base: baseCsiDriver(driverName) },
    ...draftsNamed(patches, "storageclass", baseStorageClass(driverName)),
    ...draftsNamed(patches, "volumesnapshotclass", baseSnapshotClass(driverName)),
  ];
}

/** `storageclass.yaml`, `storageclass-fast.yaml`: each gives its class a name at least. */
function draftsNamed(patches: readonly Asset[], kind: string, base: KubernetesObject): Draft[] {
  const stems = patches.map(({ name }) => name.replace(/\.yaml(\.patch)?$/u, ""));
  const own = stems.filter((stem) => stem === kind || stem.startsWith(`${kind}-`));
  return [...new Set(own)].map((stem) => ({ stem, base }));
}

function baseCsiDriver(name: string): CSIDriver {
  return {
    apiVersion: "storage.k8s.io/v1",
    kind: "CSIDriver",
    metadata: { name, annotations: { [managedDriverAnnotation]: "true" } },
    spec: {},
  };
}

function baseStorageClass(provisioner: string): StorageClass {
  return {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: {},
    provisioner,
    reclaimPolicy: "Delete",
    volumeBindingMode: "WaitForFirstConsumer",
    allowVolumeExpansion: true,
  };
}

function baseSnapshotClass(driver: string): VolumeSnapshotClass {
  return {
    apiVersion: "snapshot.storage.k8s.io/v1",
    kind: "VolumeSnapshotClass",
    metadata: {},
    driver,
    deletionPolicy: "Delete",
  };
}
