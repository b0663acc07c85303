import type { Informer, InformerFactory } from "@stowage/kube";
import {
  type KubernetesObject,
  type ResourceType,
  type VolumeGroupSnapshot,
  type VolumeGroupSnapshotClass,
  type VolumeGroupSnapshotContent,
  type VolumeSnapshot,
  type VolumeSnapshotClass,
  type VolumeSnapshotContent,
  volumeGroupSnapshotClasses,
  volumeGroupSnapshotContents,
  volumeGroupSnapshots,
  volumeSnapshotClasses,
  volumeSnapshotContents,
  volumeSnapshots,
} from "@stowage/machinery";

interface Selection {
  /** Of one node's contents; a watch of its own. */
  readonly labelSelector?: string;
}

const cache =
  <T extends KubernetesObject>(type: ResourceType<T>) =>
  (informers: Pick<InformerFactory, "informer">, { labelSelector }: Selection = {}): Informer<T> =>
    informers.informer(type, { labelSelector });

// Their CRDs may be missing: ask for these only once they are known to be there, or their watches fail for ever.
export const volumeSnapshotCache = cache<VolumeSnapshot>(volumeSnapshots);
export const volumeSnapshotContentCache = cache<VolumeSnapshotContent>(volumeSnapshotContents);
export const volumeSnapshotClassCache = cache<VolumeSnapshotClass>(volumeSnapshotClasses);
export const volumeGroupSnapshotCache = cache<VolumeGroupSnapshot>(volumeGroupSnapshots);
export const volumeGroupSnapshotContentCache = cache<VolumeGroupSnapshotContent>(volumeGroupSnapshotContents);
export const volumeGroupSnapshotClassCache = cache<VolumeGroupSnapshotClass>(volumeGroupSnapshotClasses);
