import { keyOf } from "@stowage/kube";
import type {
  PersistentVolume,
  PersistentVolumeClaim,
  VolumeGroupSnapshotContent,
  VolumeSnapshot,
} from "@stowage/machinery";

/** Names of indexes on shared caches: other sidecars have theirs. */
export const indexes = {
  snapshotsOfClaim: "snapshot-controller/claim",
  snapshotsOfGroup: "snapshot-controller/group",
  pendingRestores: "snapshot-controller/pending-restore",
  volumeHandle: "snapshot-controller/volume-handle",
  groupHandle: "snapshot-controller/group-handle",
} as const;

/** The key of the claim that the snapshot is of. */
export function claimKeys({ metadata, spec }: VolumeSnapshot): string[] {
  const name = spec.source.persistentVolumeClaimName;
  return name === undefined || name === "" ? [] : [keyOf({ namespace: metadata.namespace, name })];
}

/** The key of the snapshot that the claim is to be made from. */
export function restoredSnapshotKeys({ metadata, spec }: PersistentVolumeClaim): string[] {
  const source = spec?.dataSource;
  if (source?.kind !== "VolumeSnapshot" || source.apiGroup !== "snapshot.storage.k8s.io") return [];
  return [keyOf({ namespace: metadata.namespace, name: source.name })];
}

export function pendingRestoreKeys(claim: PersistentVolumeClaim): string[] {
  return claim.status?.phase === "Pending" ? restoredSnapshotKeys(claim) : [];
}

export function volumeHandleKey(driver: string, handle: string): string {
  return `${driver}^${handle}`;
}

export function volumeHandleKeys({ spec }: PersistentVolume): string[] {
  return spec?.csi === undefined ? [] : [volumeHandleKey(spec.csi.driver, spec.csi.volumeHandle)];
}

export function groupHandleKeys({ status }: VolumeGroupSnapshotContent): string[] {
  return status?.volumeGroupSnapshotHandle === undefined ? [] : [status.volumeGroupSnapshotHandle];
}
