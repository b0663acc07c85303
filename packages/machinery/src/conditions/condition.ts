/** What every condition has in common; the API's own condition types fit it, with their further fields. */
export interface ConditionShape {
  readonly type: string;
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
  readonly observedGeneration?: number;
}

/** Status lists are absent until somebody writes the first condition, so that `undefined` is as good as an empty list. */
export type ConditionList<C extends ConditionShape> = readonly C[] | undefined;

export function findCondition<C extends ConditionShape>(conditions: ConditionList<C>, type: string): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

export function isConditionTrue(conditions: ConditionList<ConditionShape>, type: string): boolean {
  return findCondition(conditions, type)?.status === "True";
}

/** An absent condition is neither true nor false nor unknown. */
export function isConditionFalse(conditions: ConditionList<ConditionShape>, type: string): boolean {
  return findCondition(conditions, type)?.status === "False";
}

export function isConditionUnknown(conditions: ConditionList<ConditionShape>, type: string): boolean {
  return findCondition(conditions, type)?.status === "Unknown";
}
