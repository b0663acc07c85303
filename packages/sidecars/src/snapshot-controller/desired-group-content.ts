import type { NewObject } from "@stowage/kube";
import {
  groupSnapshotAnnotations,
  snapshotFinalizers,
  snapshotLabels,
  type VolumeGroupSnapshot,
  type VolumeGroupSnapshotClass,
  type VolumeGroupSnapshotContent,
  volumeGroupSnapshots,
} from "@stowage/machinery";
import type { SecretRef } from "../secrets/index.ts";
import { deletionSecretAnnotations } from "../snapshots/index.ts";
import { referenceTo } from "./desired-content.ts";

export function groupContentNameOf({ metadata }: Pick<VolumeGroupSnapshot, "metadata">): string {
  return `groupsnapcontent-${metadata.uid}`;
}

export interface GroupContentParts {
  readonly group: VolumeGroupSnapshot;
  readonly class: VolumeGroupSnapshotClass;
  readonly volumeHandles: readonly string[];
  readonly secret: SecretRef | undefined;
  /** Of the one node that all the volumes are on, in distributed mode. */
  readonly nodeName: string | undefined;
}

/** The volumes are written down here: labels that change later do not change the group. */
export function desiredGroupContent(parts: GroupContentParts): NewObject<VolumeGroupSnapshotContent> {
  const { group, volumeHandles, secret, nodeName } = parts;
  return {
    metadata: {
      name: groupContentNameOf(group),
      finalizers: [snapshotFinalizers.groupContent],
      annotations: deletionSecretAnnotations(secret, groupSnapshotAnnotations),
      ...(nodeName !== undefined && { labels: { [snapshotLabels.managedBy]: nodeName } }),
    },
    spec: {
      deletionPolicy: parts.class.deletionPolicy,
      driver: parts.class.driver,
      source: { volumeHandles: [...volumeHandles] },
      volumeGroupSnapshotClassName: parts.class.metadata.name,
      volumeGroupSnapshotRef: referenceTo(volumeGroupSnapshots, group),
    },
  };
}
