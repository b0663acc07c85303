import type { LabelSelector, ObjectMeta, ObjectReference } from "../api/index.ts";
import type { DeletionPolicy, VolumeSnapshotError } from "./volume-snapshot.ts";

type ApiVersion = "groupsnapshot.storage.k8s.io/v1";

/** Asks for snapshots of several claims, taken at one moment, or for a group of snapshots that exists already. */
export interface VolumeGroupSnapshot {
  apiVersion: ApiVersion;
  kind: "VolumeGroupSnapshot";
  metadata: ObjectMeta;
  spec: VolumeGroupSnapshotSpec;
  status?: VolumeGroupSnapshotStatus;
}

export interface VolumeGroupSnapshotSpec {
  source: VolumeGroupSnapshotSource;
  /** Left out: the default class of the driver that has the volumes. */
  volumeGroupSnapshotClassName?: string;
}

/** One of the two; never changes. */
export interface VolumeGroupSnapshotSource {
  /** Which claims of the namespace; asked once, when the content is made. */
  selector?: LabelSelector;
  /** The VolumeGroupSnapshotContent of a group that exists already. */
  volumeGroupSnapshotContentName?: string;
}

/** Believe it only when the content named here points back at the group snapshot. */
export interface VolumeGroupSnapshotStatus {
  boundVolumeGroupSnapshotContentName?: string;
  /** When the snapshots were taken: RFC 3339. */
  creationTime?: string;
  /** Of all members. */
  readyToUse?: boolean;
  error?: VolumeSnapshotError;
}

/** A group of snapshots in the storage, taken or yet to be taken. */
export interface VolumeGroupSnapshotContent {
  apiVersion: ApiVersion;
  kind: "VolumeGroupSnapshotContent";
  metadata: ObjectMeta;
  spec: VolumeGroupSnapshotContentSpec;
  status?: VolumeGroupSnapshotContentStatus;
}

export interface VolumeGroupSnapshotContentSpec {
  deletionPolicy: DeletionPolicy;
  driver: string;
  source: VolumeGroupSnapshotContentSource;
  volumeGroupSnapshotClassName?: string;
  volumeGroupSnapshotRef: ObjectReference;
}

/** One of the two; never changes. */
export interface VolumeGroupSnapshotContentSource {
  /** The driver's ids of the volumes to take snapshots of. */
  volumeHandles?: string[];
  groupSnapshotHandles?: GroupSnapshotHandles;
}

/** The driver's ids of a group that exists already, and of its members. */
export interface GroupSnapshotHandles {
  volumeGroupSnapshotHandle: string;
  volumeSnapshotHandles: string[];
}

export interface VolumeGroupSnapshotContentStatus {
  /** The driver's id of the group. */
  volumeGroupSnapshotHandle?: string;
  /** RFC 3339. */
  creationTime?: string;
  /** Of all members. */
  readyToUse?: boolean;
  error?: VolumeSnapshotError;
  volumeSnapshotInfoList?: VolumeSnapshotInfo[];
}

/** One member, as the driver told of it. */
export interface VolumeSnapshotInfo {
  volumeHandle?: string;
  snapshotHandle?: string;
  /** Nanoseconds since 1970. */
  creationTime?: number;
  readyToUse?: boolean;
  /** In bytes. */
  restoreSize?: number;
}

/** How group snapshots are to be taken, by which driver. */
export interface VolumeGroupSnapshotClass {
  apiVersion: ApiVersion;
  kind: "VolumeGroupSnapshotClass";
  metadata: ObjectMeta;
  driver: string;
  parameters?: Record<string, string>;
  deletionPolicy: DeletionPolicy;
}
