import type { ObjectMeta, ObjectReference } from "../api/index.ts";

type ApiVersion = "snapshot.storage.k8s.io/v1";

/** What becomes of the snapshot in the storage when its VolumeSnapshot is deleted. */
export type DeletionPolicy = "Delete" | "Retain";

/** Asks for a snapshot of a claim, or for one that exists already. */
export interface VolumeSnapshot {
  apiVersion: ApiVersion;
  kind: "VolumeSnapshot";
  metadata: ObjectMeta;
  spec: VolumeSnapshotSpec;
  status?: VolumeSnapshotStatus;
}

export interface VolumeSnapshotSpec {
  source: VolumeSnapshotSource;
  /** Left out: the default class of the driver that has the volume. */
  volumeSnapshotClassName?: string;
}

/** One of the two; never changes. */
export interface VolumeSnapshotSource {
  /** The claim to take a snapshot of, in the namespace of the VolumeSnapshot. */
  persistentVolumeClaimName?: string;
  /** The VolumeSnapshotContent of a snapshot that exists already. */
  volumeSnapshotContentName?: string;
}

/** Believe it only when the content named here points back at the snapshot. */
export interface VolumeSnapshotStatus {
  boundVolumeSnapshotContentName?: string;
  /** When the snapshot was taken: RFC 3339. */
  creationTime?: string;
  readyToUse?: boolean;
  /** The smallest volume that the snapshot can be restored to, as a quantity. */
  restoreSize?: string;
  error?: VolumeSnapshotError;
  /** The VolumeGroupSnapshot that it is a member of. */
  volumeGroupSnapshotName?: string;
}

/** The last thing that went wrong; gone once it went well. */
export interface VolumeSnapshotError {
  time?: string;
  message?: string;
}

/** A snapshot in the storage, taken or yet to be taken. */
export interface VolumeSnapshotContent {
  apiVersion: ApiVersion;
  kind: "VolumeSnapshotContent";
  metadata: ObjectMeta;
  spec: VolumeSnapshotContentSpec;
  status?: VolumeSnapshotContentStatus;
}

export interface VolumeSnapshotContentSpec {
  deletionPolicy: DeletionPolicy;
  driver: string;
  source: VolumeSnapshotContentSource;
  /** `Filesystem` or `Block`; left out when unknown. */
  sourceVolumeMode?: string;
  volumeSnapshotClassName?: string;
  volumeSnapshotRef: ObjectReference;
}

/** One of the two; never changes. */
export interface VolumeSnapshotContentSource {
  /** The driver's id of the volume to take a snapshot of. */
  volumeHandle?: string;
  /** The driver's id of a snapshot that exists already. */
  snapshotHandle?: string;
}

export interface VolumeSnapshotContentStatus {
  /** The driver's id of the snapshot. */
  snapshotHandle?: string;
  /** Nanoseconds since 1970: more digits than a number keeps, so to about a quarter of a microsecond. */
  creationTime?: number;
  /** In bytes. */
  restoreSize?: number;
  readyToUse?: boolean;
  error?: VolumeSnapshotError;
  /** The driver's id of the group snapshot that it is a member of. */
  volumeGroupSnapshotHandle?: string;
}

/** How snapshots are to be taken, by which driver. */
export interface VolumeSnapshotClass {
  apiVersion: ApiVersion;
  kind: "VolumeSnapshotClass";
  metadata: ObjectMeta;
  driver: string;
  parameters?: Record<string, string>;
  deletionPolicy: DeletionPolicy;
}
