import { findCondition, isConditionTrue, type Pod, parseTime } from "@stowage/machinery";

export function isPodReady({ status }: Pod): boolean {
  return isConditionTrue(status?.conditions, "Ready");
}

/** It has ended, and runs no more. */
export function isPodFinished({ status }: Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

export function isPodActive(pod: Pod): boolean {
  return !isPodFinished(pod) && pod.metadata.deletionTimestamp === undefined;
}

export function isPodTerminating(pod: Pod): boolean {
  return !isPodFinished(pod) && pod.metadata.deletionTimestamp !== undefined;
}

/** When the Pod became ready, in milliseconds; undefined when it is not, or nobody said when. */
export function readySinceMs({ status }: Pod): number | undefined {
  const ready = findCondition(status?.conditions, "Ready");
  if (ready?.status !== "True" || !ready.lastTransitionTime) return undefined;
  return parseTime(ready.lastTransitionTime);
}

/** Ready for long enough. */
export function isPodAvailable(pod: Pod, minReadySeconds: number, nowMs: number): boolean {
  if (!isPodReady(pod)) return false;
  if (minReadySeconds === 0) return true;
  const sinceMs = readySinceMs(pod);
  return sinceMs !== undefined && sinceMs + minReadySeconds * 1000 <= nowMs;
}

/** In how long the next of the Pods becomes available, if it stays ready; undefined when none does. */
export function nextAvailabilityMs(pods: readonly Pod[], minReadySeconds: number, nowMs: number): number | undefined {
  if (minReadySeconds <= 0) return undefined;
  const waits = pods
    .map(readySinceMs)
    .filter((sinceMs) => sinceMs !== undefined)
    .map((sinceMs) => sinceMs + minReadySeconds * 1000 - nowMs)
    .filter((waitMs) => waitMs > 0);
  return waits.length === 0 ? undefined : Math.min(...waits);
}
