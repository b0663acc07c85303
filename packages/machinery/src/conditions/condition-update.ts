import { formatTime } from "../time/index.ts";
import { type ConditionList, type ConditionShape, findCondition } from "./condition.ts";

/**
 * Puts a condition in the place of the one of its type, or at the end. `lastTransitionTime` becomes now only if the status
 * changes: it tells since when, not when last looked at.
 */
export function setCondition<C extends ConditionShape>(
  conditions: ConditionList<C>,
  condition: Omit<C, "lastTransitionTime">,
  nowMs: number,
): C[] {
  const existing = findCondition(conditions, condition.type);
  const isSameStatus = existing?.status === condition.status;
  const lastTransitionTime = (isSameStatus ? existing.lastTransitionTime : undefined) ?? formatTime(nowMs);
  const updated = { ...condition, lastTransitionTime } as C;
  if (!existing) return [...(conditions ?? []), updated];
  return (conditions ?? []).map((each) => (each === existing ? updated : each));
}

export function removeCondition<C extends ConditionShape>(conditions: ConditionList<C>, type: string): C[] {
  return (conditions ?? []).filter((condition) => condition.type !== type);
}
