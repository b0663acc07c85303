import { findCondition, type OperatorStatus, parseTime } from "@stowage/machinery";

/** Longer than any rollout that goes well: nodes are taken in ten waves at most. */
const PROGRESS_TIMEOUT_MS = 15 * 60_000;

/** Whether the operator has said for too long that it is progressing. Asked only while it still is, or it would never end. */
export function isProgressingTooLong(status: OperatorStatus | undefined, name: string, nowMs: number): boolean {
  const progressing = findCondition(status?.conditions, `${name}Progressing`);
  if (progressing?.status !== "True") return false;
  return nowMs > parseTime(progressing.lastTransitionTime) + PROGRESS_TIMEOUT_MS;
}
