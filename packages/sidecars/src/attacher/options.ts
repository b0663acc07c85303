import type { CallLimits } from "../sidecar.ts";

export interface AttacherOptions extends CallLimits {
  /** `--resync`: how often everything is looked at again. */
  readonly resyncMs: number;
  /** `--reconcile-sync`: how often the driver is asked what is attached, where it can tell. */
  readonly reconcileMs: number;
  /** `--max-entries`: volumes in one answer of ListVolumes; 0 leaves it to the driver. */
  readonly maxEntries: number;
  /** `--default-fstype`: for volumes whose PersistentVolume names none. */
  readonly defaultFsType: string;
}

export const attacherDefaults: AttacherOptions = {
  timeoutMs: 15_000,
  workers: 10,
  retryInitialMs: 1000,
  retryMaximumMs: 300_000,
  resyncMs: 600_000,
  reconcileMs: 60_000,
  maxEntries: 0,
  defaultFsType: "",
};
