import type { Informer, InformerFactory } from "@stowage/kube";
import {
  type CSINode,
  csiNodes,
  type KubernetesObject,
  type MetadataOnly,
  metadataOnly,
  type Node,
  nodes,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  type ResourceType,
  type StorageClass,
  storageClasses,
  type VolumeAttachment,
  type VolumeAttributesClass,
  volumeAttachments,
  volumeAttributesClasses,
} from "@stowage/machinery";

type Factory = Pick<InformerFactory, "informer">;

// Nothing is dropped that a later write would need: writes are patches, or start from a fresh copy.
const cache =
  <T extends KubernetesObject>(type: ResourceType<T>) =>
  (informers: Factory): Informer<T> =>
    informers.informer(type);

export const persistentVolumeClaimCache = cache<PersistentVolumeClaim>(persistentVolumeClaims);
export const persistentVolumeCache = cache<PersistentVolume>(persistentVolumes);
export const storageClassCache = cache<StorageClass>(storageClasses);
export const volumeAttachmentCache = cache<VolumeAttachment>(volumeAttachments);
export const csiNodeCache = cache<CSINode>(csiNodes);
export const volumeAttributesClassCache = cache<VolumeAttributesClass>(volumeAttributesClasses);

const nodeMetadata: ResourceType<MetadataOnly<Node>> = metadataOnly(nodes);

/** Nodes are large and change every few seconds; topology needs their labels alone. */
export function nodeCache(informers: Factory): Informer<MetadataOnly<Node>> {
  return informers.informer(nodeMetadata);
}
