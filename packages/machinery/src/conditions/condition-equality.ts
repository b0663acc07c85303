import { type ConditionList, type ConditionShape, findCondition } from "./condition.ts";

/** Fields that change without news: when it was said, not what. */
const timeFields: ReadonlySet<string> = new Set([
  "lastTransitionTime",
  "lastUpdateTime",
  "lastProbeTime",
  "lastHeartbeatTime",
]);

/** Whether both say the same, whenever they said it. Absent and undefined fields are alike. */
export function isConditionEqual<C extends ConditionShape>(left: C, right: C): boolean {
  const fields = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...fields].every((field) => timeFields.has(field) || left[field as keyof C] === right[field as keyof C]);
}

/** Whether both lists say the same, in whichever order; spares a write to the API. */
export function areConditionsEqual<C extends ConditionShape>(left: ConditionList<C>, right: ConditionList<C>): boolean {
  if ((left?.length ?? 0) !== (right?.length ?? 0)) return false;
  return (left ?? []).every((condition) => {
    const other = findCondition(right, condition.type);
    return other !== undefined && isConditionEqual(condition, other);
  });
}
