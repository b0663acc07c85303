import type { EventRecorder, ObjectReader } from "@stowage/kube";
import type {
  Clock,
  KeyedLock,
  Logger,
  MetadataOnly,
  PersistentVolume,
  PersistentVolumeClaim,
  VolumeGroupSnapshot,
  VolumeGroupSnapshotClass,
  VolumeGroupSnapshotContent,
  VolumeSnapshot,
  VolumeSnapshotClass,
  VolumeSnapshotContent,
} from "@stowage/machinery";
import type { ObjectStore } from "./object-store.ts";
import type { OperationMetrics } from "./operation-metrics.ts";
import type { SnapshotControllerOptions } from "./options.ts";

/** All that the syncs of the snapshot controller read and write. */
export interface World {
  readonly options: SnapshotControllerOptions;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly operations: OperationMetrics;
  readonly snapshots: ObjectStore<VolumeSnapshot>;
  readonly contents: ObjectStore<VolumeSnapshotContent>;
  readonly classes: ObjectReader<VolumeSnapshotClass>;
  readonly claims: ObjectStore<PersistentVolumeClaim>;
  readonly volumes: ObjectReader<PersistentVolume>;
  /** In distributed mode. */
  readonly nodes: ObjectReader<MetadataOnly> | undefined;
  /** Where the CRDs of groups are installed. */
  readonly groups: GroupWorld | undefined;
  /** By the key of a claim: its finalizer is decided on by one at a time. */
  readonly claimTurns: KeyedLock;
  /** The uids of snapshots whose content is just being made: their claims are in use already. */
  readonly beginnings: Set<string>;
  /** By the uid of a snapshot: before this time a binding is not written down for itself alone. */
  readonly bindAfterMs: Map<string, number>;
  /** By key: the uid of what was last seen there, to end its metrics when it is gone. */
  readonly seen: Map<string, string>;
}

export interface GroupWorld {
  readonly snapshots: ObjectStore<VolumeGroupSnapshot>;
  readonly contents: ObjectStore<VolumeGroupSnapshotContent>;
  readonly classes: ObjectReader<VolumeGroupSnapshotClass>;
  /** As `seen` of the world, for groups. */
  readonly seen: Map<string, string>;
}
