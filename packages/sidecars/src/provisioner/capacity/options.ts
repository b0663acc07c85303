import type { CallLimits } from "../../sidecar.ts";

export interface CapacityOptions extends CallLimits {
  /** `NAMESPACE`: where the objects are made. */
  readonly namespace: string;
  /** `POD_NAME`: whose owner is to own the objects. */
  readonly podName?: string;
  /** `--capacity-ownerref-level`: 0 the Pod itself, 1 its owner, 2 that one's owner; below 0 nobody. */
  readonly ownerLevel: number;
  /** `--capacity-poll-interval`: how often the driver is asked again. */
  readonly pollIntervalMs: number;
  /** `--capacity-for-immediate-binding`: also for classes that do not wait for a Pod; the scheduler does not read those. */
  readonly forImmediateBinding: boolean;
}

/** `workers` is `--capacity-threads`. */
export const capacityDefaults: Omit<CapacityOptions, "namespace" | "podName"> = {
  timeoutMs: 10_000,
  workers: 1,
  retryInitialMs: 1000,
  retryMaximumMs: 300_000,
  ownerLevel: 1,
  pollIntervalMs: 60_000,
  forImmediateBinding: false,
};
