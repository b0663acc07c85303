import type { CallLimits } from "../sidecar.ts";

export interface SnapshotterOptions extends CallLimits {
  /** `--snapshot-name-prefix`: names in the storage are `<prefix>-<uid of the VolumeSnapshot>`. */
  readonly snapshotNamePrefix: string;
  /** `--snapshot-name-uuid-length`: how much of the uid, then without its dashes; all of it when left out. */
  readonly snapshotNameUuidLength?: number;
  /** `--groupsnapshot-name-prefix` */
  readonly groupSnapshotNamePrefix: string;
  /** `--groupsnapshot-name-uuid-length` */
  readonly groupSnapshotNameUuidLength?: number;
  /** `--resync-period`: how often everything is looked at again. */
  readonly resyncMs: number;
  /** `--extra-create-metadata`: tells the driver the names of the Kubernetes objects too. */
  readonly extraCreateMetadata: boolean;
  /** `--node-deployment`, with the name of the node: deals only with the contents that are labelled for it. */
  readonly nodeName?: string;
  /** Whether the CRDs of group snapshots are there: see `waitForSnapshotApi`. */
  readonly hasGroupSnapshots: boolean;
}

/** As the original has them. */
export const snapshotterDefaults: SnapshotterOptions = {
  timeoutMs: 60_000,
  workers: 10,
  retryInitialMs: 1_000,
  retryMaximumMs: 5 * 60_000,
  snapshotNamePrefix: "snapshot",
  groupSnapshotNamePrefix: "groupsnapshot",
  resyncMs: 15 * 60_000,
  extraCreateMetadata: false,
  hasGroupSnapshots: true,
};
