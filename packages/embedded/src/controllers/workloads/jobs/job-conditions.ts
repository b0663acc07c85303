import { findCondition, formatTime, isConditionTrue, type Job, type JobCondition } from "@stowage/machinery";

export function jobCondition(
  type: string,
  { reason, message }: { readonly reason?: string; readonly message?: string },
  nowMs: number,
): JobCondition {
  const now = formatTime(nowMs);
  return { type, status: "True", lastProbeTime: now, lastTransitionTime: now, reason, message };
}

export function isFinished({ status }: Job): boolean {
  return isConditionTrue(status?.conditions, "Complete") || isConditionTrue(status?.conditions, "Failed");
}

export function trueCondition({ status }: Job, type: string): JobCondition | undefined {
  const condition = findCondition(status?.conditions, type);
  return condition?.status === "True" ? condition : undefined;
}

/** In the place of the one of its type, if it says something else; one that says no is not begun with. */
export function withJobCondition(conditions: readonly JobCondition[], condition: JobCondition): JobCondition[] {
  const known = findCondition(conditions, condition.type);
  if (known === undefined) return condition.status === "False" ? [...conditions] : [...conditions, condition];
  const { status, reason, message } = condition;
  if (known.status === status && known.reason === reason && known.message === message) return [...conditions];
  return conditions.map((each) => (each === known ? condition : each));
}

export function isSuspended({ spec }: Job): boolean {
  return spec?.suspend === true;
}
