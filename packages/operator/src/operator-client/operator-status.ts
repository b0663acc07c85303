import { isDeepStrictEqual } from "node:util";
import {
  type ConditionStatus,
  findCondition,
  formatTime,
  type OperatorCondition,
  type OperatorStatus,
} from "@stowage/machinery";

/** A condition as controllers say it; since when is found out here. */
export interface StatedCondition {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason?: string;
  readonly message?: string;
}

/** What one controller has to say of the operator's status: all of it, each time. What it leaves out is taken back. */
export interface StatedStatus extends Omit<OperatorStatus, "conditions"> {
  readonly conditions?: readonly StatedCondition[];
}

/** What is sent: `lastTransitionTime` is kept as long as the condition's status is the same, whoever wrote it. */
export function desiredStatus(
  current: OperatorStatus | undefined,
  stated: StatedStatus,
  nowMs: number,
): OperatorStatus {
  const { conditions, ...rest } = stated;
  if (conditions === undefined) return withoutUndefined(rest);
  const dated = conditions.map((condition): OperatorCondition => {
    const existing = findCondition(current?.conditions, condition.type);
    const isSame = existing?.status === condition.status;
    const lastTransitionTime = (isSame ? existing.lastTransitionTime : undefined) ?? formatTime(nowMs);
    return withoutUndefined({ ...condition, lastTransitionTime });
  });
  return { ...withoutUndefined(rest), conditions: dated };
}

/** Whether all that is wanted is in the status. */
export function hasStatus(current: OperatorStatus | undefined, wanted: OperatorStatus): boolean {
  const { conditions = [], generations = [], ...rest } = wanted;
  return (
    conditions.every((condition) => isDeepStrictEqual(findCondition(current?.conditions, condition.type), condition)) &&
    generations.every((each) => (current?.generations ?? []).some((other) => isDeepStrictEqual(other, each))) &&
    Object.entries(rest).every(([name, value]) => isDeepStrictEqual(current?.[name as keyof OperatorStatus], value))
  );
}

function withoutUndefined<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}
