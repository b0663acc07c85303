import type { NewObject } from "@stowage/kube";
import {
  apiVersionOf,
  type KubernetesObject,
  type ObjectReference,
  type ResourceType,
  snapshotAnnotations,
  snapshotFinalizers,
  snapshotLabels,
  type VolumeSnapshot,
  type VolumeSnapshotClass,
  type VolumeSnapshotContent,
  volumeSnapshots,
} from "@stowage/machinery";
import type { SecretRef } from "../secrets/index.ts";
import { deletionSecretAnnotations } from "../snapshots/index.ts";
import type { SourceVolume } from "./source-volume.ts";

/** Fixed, so that a content whose creation was not noted in the snapshot is found all the same. */
export function contentNameOf({ metadata }: Pick<VolumeSnapshot, "metadata">): string {
  return `snapcontent-${metadata.uid}`;
}

export interface ContentParts {
  readonly snapshot: VolumeSnapshot;
  readonly class: VolumeSnapshotClass;
  readonly source: SourceVolume;
  readonly secret: SecretRef | undefined;
  /** Of the sidecar that is to deal with it, in distributed mode. */
  readonly nodeName: string | undefined;
  readonly keepsVolumeMode: boolean;
}

/** With its finalizer from the first moment on: without it, the content could go while the driver takes the snapshot. */
export function desiredContent(parts: ContentParts): NewObject<VolumeSnapshotContent> {
  const { snapshot, source, secret, nodeName } = parts;
  const { volumeMode } = source.volume.spec ?? {};
  return {
    metadata: {
      name: contentNameOf(snapshot),
      finalizers: [snapshotFinalizers.content],
      annotations: deletionSecretAnnotations(secret, snapshotAnnotations),
      ...(nodeName !== undefined && { labels: { [snapshotLabels.managedBy]: nodeName } }),
    },
    spec: {
      deletionPolicy: parts.class.deletionPolicy,
      driver: parts.class.driver,
      source: { volumeHandle: source.handle },
      volumeSnapshotClassName: parts.class.metadata.name,
      volumeSnapshotRef: referenceTo(volumeSnapshots, snapshot),
      ...(parts.keepsVolumeMode && volumeMode !== undefined && { sourceVolumeMode: volumeMode }),
    },
  };
}

export function referenceTo(type: ResourceType, { metadata }: KubernetesObject): ObjectReference {
  const { name, namespace, uid, resourceVersion } = metadata;
  return { apiVersion: apiVersionOf(type), kind: type.kind, name, namespace, uid, resourceVersion };
}
