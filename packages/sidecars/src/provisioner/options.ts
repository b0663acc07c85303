import type { CallLimits } from "../sidecar.ts";
import type { RequestSettings, VolumeNaming } from "./requests/index.ts";
import { type TopologyOptions, topologyDefaults } from "./topology/index.ts";

export interface ProvisionerOptions extends CallLimits, VolumeNaming, RequestSettings, TopologyOptions {
  /** The sidecar's own, where the journal of intents is. */
  readonly namespace: string;
  /** `--cloning-protection-threads` */
  readonly cloningProtectionWorkers: number;
  /** `--snapshot-orphan-sweep-interval` */
  readonly snapshotOrphanSweepIntervalMs: number;
  /** `--controller-publish-readonly`: PVs that can only be read on many nodes are attached read-only. */
  readonly controllerPublishReadOnly: boolean;
  /** `--prevent-volume-mode-conversion` */
  readonly preventVolumeModeConversion: boolean;
  /**
   * Volumes are noted before they are made, so that a crash leaves none behind. Costs at most a write for each. `ifAllowed` goes
   * without where the ConfigMap may not be used, as with a role that was made for the original, and says so.
   */
  readonly durableIntent: boolean | "ifAllowed";
  /** How long the notes of volumes that are done may stay when nothing else is noted: one write less for each. */
  readonly journalIdleMs: number;
  /** When deployed on each node: then there is one provisioner and one journal for each. */
  readonly nodeName?: string;
}

/** As the original has them, but for the journal of intents, which it does not have. */
export const provisionerDefaults: Omit<ProvisionerOptions, "namespace"> = {
  ...topologyDefaults,
  timeoutMs: 10_000,
  workers: 100,
  retryInitialMs: 1_000,
  retryMaximumMs: 5 * 60_000,
  volumeNamePrefix: "pvc",
  volumeNameUuidLength: -1,
  cloningProtectionWorkers: 1,
  snapshotOrphanSweepIntervalMs: 5 * 60_000,
  extraCreateMetadata: false,
  defaultFsType: "",
  controllerPublishReadOnly: false,
  preventVolumeModeConversion: true,
  durableIntent: true,
  journalIdleMs: 30_000,
};
