import type { CallLimits } from "@stowage/sidecars";
import type { SidecarPlace } from "../sidecar-maker.ts";

/** What each sidecar is told by its own flags and by those that all have. */
export function callLimits(own: { timeout: number; workers: number }, place: SidecarPlace): CallLimits {
  const { retryInitialMs, retryMaximumMs } = place;
  return { timeoutMs: own.timeout, workers: own.workers, retryInitialMs, retryMaximumMs };
}
