import type { NewObject } from "@stowage/kube";
import {
  groupSnapshotAnnotations,
  type PersistentVolume,
  snapshotAnnotations,
  snapshotFinalizers,
  snapshotLabels,
  type VolumeGroupSnapshot,
  type VolumeGroupSnapshotContent,
  type VolumeSnapshot,
  type VolumeSnapshotContent,
  type VolumeSnapshotContentStatus,
  type VolumeSnapshotInfo,
  volumeSnapshots,
} from "@stowage/machinery";
import { deletionSecretAnnotations, deletionSecretOf, groupOwnerReference, memberNames } from "../snapshots/index.ts";
import { referenceTo } from "./desired-content.ts";

export interface MemberParts {
  readonly group: VolumeGroupSnapshot;
  readonly groupContent: VolumeGroupSnapshotContent;
  readonly info: VolumeSnapshotInfo;
  /** Gone, perhaps, by the time that the driver has answered. */
  readonly volume: PersistentVolume | undefined;
}

/** The snapshot of one member. It belongs to the group, and stays while the group does. */
export function desiredMember({ group, groupContent, info, volume }: MemberParts): NewObject<VolumeSnapshot> {
  const { asSource, bound, inGroup } = snapshotFinalizers;
  return {
    metadata: {
      name: memberNames(group.metadata.uid ?? "", info.volumeHandle ?? "").snapshot,
      namespace: group.metadata.namespace,
      ownerReferences: [groupOwnerReference(group)],
      finalizers: [inGroup, asSource, ...(groupContent.spec.deletionPolicy === "Delete" ? [bound] : [])],
    },
    spec: { source: { persistentVolumeClaimName: volume?.spec?.claimRef?.name ?? "" } },
  };
}

/** The content of one member, bound from the start. The annotation tells the sidecar that the driver has taken it already. */
export function desiredMemberContent(
  { group, groupContent, info, volume }: MemberParts,
  member: VolumeSnapshot,
): NewObject<VolumeSnapshotContent> {
  const { spec, status, metadata } = groupContent;
  const secret = deletionSecretOf(groupContent, groupSnapshotAnnotations);
  const nodeName = metadata.labels?.[snapshotLabels.managedBy];
  const sourceVolumeMode = volume?.spec?.volumeMode;
  return {
    metadata: {
      name: memberNames(group.metadata.uid ?? "", info.volumeHandle ?? "").content,
      finalizers: [snapshotFinalizers.content],
      annotations: {
        [snapshotAnnotations.groupSnapshotHandle]: status?.volumeGroupSnapshotHandle ?? "",
        ...deletionSecretAnnotations(secret, snapshotAnnotations),
      },
      ...(nodeName !== undefined && { labels: { [snapshotLabels.managedBy]: nodeName } }),
    },
    spec: {
      deletionPolicy: spec.deletionPolicy,
      driver: spec.driver,
      source: { volumeHandle: info.volumeHandle },
      volumeSnapshotRef: referenceTo(volumeSnapshots, member),
      ...(sourceVolumeMode !== undefined && { sourceVolumeMode }),
    },
  };
}

export function memberStatus({ groupContent, info }: MemberParts): VolumeSnapshotContentStatus {
  const { snapshotHandle, creationTime, restoreSize, readyToUse } = info;
  const { volumeGroupSnapshotHandle } = groupContent.status ?? {};
  return {
    snapshotHandle,
    volumeGroupSnapshotHandle,
    readyToUse: readyToUse ?? false,
    ...(creationTime !== undefined && { creationTime }),
    ...(restoreSize !== undefined && { restoreSize }),
  };
}
