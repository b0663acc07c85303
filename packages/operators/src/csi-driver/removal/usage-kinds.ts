import {
  type KubernetesObject,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  provisioningAnnotations,
  type ResourceType,
  type StorageClass,
  storageClasses,
  type VolumeAttachment,
  type VolumeSnapshot,
  type VolumeSnapshotClass,
  type VolumeSnapshotContent,
  volumeAttachments,
  volumeSnapshotClasses,
  volumeSnapshotContents,
  volumeSnapshots,
} from "@stowage/machinery";

/** On a volume of a plug-in that was once part of Kubernetes: the driver that serves it now. */
const migratedTo = "pv.kubernetes.io/migrated-to";

/** What has to be known to tell who uses a driver. */
export interface UsageKind<T extends KubernetesObject = KubernetesObject> {
  readonly type: ResourceType<T>;
  /** Of an API that not every cluster has. */
  readonly isOptional: boolean;
  /** Whether the object alone may matter. Of the others no more than the name is kept: there may be a hundred thousand Pods. */
  matters(object: T, driverName: string): boolean;
}

function kind<T extends KubernetesObject>(
  type: ResourceType<T>,
  matters: UsageKind<T>["matters"],
  isOptional = false,
): UsageKind<T> {
  return { type, isOptional, matters };
}

/** Asked of what is kept too, so an object of which the name alone is left never matters. */
export const usageKinds = {
  volumes: kind<PersistentVolume>(
    persistentVolumes,
    ({ metadata, spec }, driver) => spec?.csi?.driver === driver || metadata.annotations?.[migratedTo] === driver,
  ),
  attachments: kind<VolumeAttachment>(volumeAttachments, ({ spec }, driver) => spec?.attacher === driver),
  /** Those that have no volume yet: what else a claim uses is its volume's. */
  claims: kind<PersistentVolumeClaim>(persistentVolumeClaims, ({ spec }) => spec !== undefined && !spec.volumeName),
  /** Whatever their phase: kubelet lets go of a Pod when its volumes are unmounted, and not before. */
  pods: kind<Pod>(pods, ({ spec }, driver) => (spec?.volumes ?? []).some(({ csi }) => csi?.driver === driver)),
  classes: kind<StorageClass>(storageClasses, ({ provisioner }, driver) => provisioner === driver),
  snapshotContents: kind<VolumeSnapshotContent>(
    volumeSnapshotContents,
    ({ spec }, driver) => spec?.driver === driver,
    true,
  ),
  /** Those that have no content yet. */
  snapshots: kind<VolumeSnapshot>(
    volumeSnapshots,
    ({ spec, status }) => spec !== undefined && !status?.boundVolumeSnapshotContentName,
    true,
  ),
  snapshotClasses: kind<VolumeSnapshotClass>(volumeSnapshotClasses, ({ driver }, name) => driver === name, true),
} as const;

export type UsageName = keyof typeof usageKinds;

type ObjectOf<K> = K extends UsageKind<infer T> ? T : never;

/** The objects that matter, of each kind. */
export type UsageObjects = { readonly [Name in UsageName]: readonly ObjectOf<(typeof usageKinds)[Name]>[] };

/** The driver that is to make the claim's volume, as Kubernetes has noted it. */
export function provisionerOf({ metadata }: PersistentVolumeClaim): string | undefined {
  const { storageProvisioner, betaStorageProvisioner } = provisioningAnnotations;
  return metadata.annotations?.[storageProvisioner] ?? metadata.annotations?.[betaStorageProvisioner];
}
