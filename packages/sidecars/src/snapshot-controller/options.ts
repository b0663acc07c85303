import type { SidecarDeps } from "../sidecar.ts";

/** It works on Kubernetes objects alone, for all drivers: one in a cluster. */
export type SnapshotControllerDeps = Omit<SidecarDeps, "csi" | "driver">;

export interface SnapshotControllerOptions {
  /** `--worker-threads`, for each of its queues. */
  readonly workers: number;
  /** `--retry-interval-start` */
  readonly retryInitialMs: number;
  /** `--retry-interval-max` */
  readonly retryMaximumMs: number;
  /** `--resync-period`: how often everything is looked at again. */
  readonly resyncMs: number;
  /** `--enable-distributed-snapshotting`: labels contents with the node whose sidecar is to deal with them. */
  readonly isDistributed: boolean;
  /** `--prevent-volume-mode-conversion`: writes down the mode of the volume, so that a restore in another mode is refused. */
  readonly preventsVolumeModeConversion: boolean;
  /** Whether the CRDs of group snapshots are there: see `waitForSnapshotApi`. */
  readonly hasGroupSnapshots: boolean;
}

/** As the original has them. */
export const snapshotControllerDefaults: SnapshotControllerOptions = {
  workers: 10,
  retryInitialMs: 1_000,
  retryMaximumMs: 5 * 60_000,
  resyncMs: 15 * 60_000,
  isDistributed: false,
  preventsVolumeModeConversion: true,
  hasGroupSnapshots: true,
};

/** `--retry-crd-interval-max`, for `waitForSnapshotApi`. */
export const RETRY_CRD_INTERVAL_MAX_MS = 30_000;
