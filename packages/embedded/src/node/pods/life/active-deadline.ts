import type { Pod } from "@stowage/machinery";
import type { PodFailure } from "../status/pod-failure.ts";

export const deadlineExceeded: PodFailure = {
  reason: "DeadlineExceeded",
  message: "Pod was active on the node longer than the specified deadline",
};

/** How long a Pod that has been active for this long may still be, not more than 0 when its time is over; undefined for ever. */
export function activeTimeLeftMs({ spec }: Pod, activeMs: number): number | undefined {
  return spec?.activeDeadlineSeconds === undefined ? undefined : spec.activeDeadlineSeconds * 1000 - activeMs;
}
