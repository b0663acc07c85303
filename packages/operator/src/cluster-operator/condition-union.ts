import { type ConditionStatus, type OperatorCondition, parseTime } from "@stowage/machinery";
import type { StatedCondition } from "../operator-client/index.ts";

/** How the conditions of many controllers become one of the ClusterOperator: by what their type ends with. */
export interface UnionRule {
  readonly type: string;
  /** The status that says that all is well; one that says otherwise decides. */
  readonly goodStatus: "True" | "False";
  /** What is bad for less than this does not count yet, so that a short trouble raises no alarm. */
  readonly inertiaMs?: number;
}

export const degradedInertiaMs = 120_000;

/** In the order of the original. */
export const unionRules: readonly UnionRule[] = [
  { type: "Degraded", goodStatus: "False", inertiaMs: degradedInertiaMs },
  { type: "Progressing", goodStatus: "False" },
  { type: "Available", goodStatus: "True" },
  { type: "Upgradeable", goodStatus: "True" },
  { type: "EvaluationConditionsDetected", goodStatus: "False" },
];

export interface Union {
  readonly condition: StatedCondition;
  /** When something that is bad already begins to count. */
  readonly dueMs: number | undefined;
}

export function unionOf(rule: UnionRule, conditions: readonly OperatorCondition[], nowMs: number): Union {
  const { type, goodStatus, inertiaMs } = rule;
  const relevant = conditions.filter((condition) => condition.type.endsWith(type));
  if (relevant.length === 0) return settled({ type, status: "Unknown", reason: "NoData" });
  const bad = relevant.filter(({ status }) => status !== goodStatus).toSorted(byType);
  const dueTimes = bad.map((condition) => dueTimeOf(condition, inertiaMs));
  if (dueTimes.some((dueMs) => dueMs <= nowMs)) return settled(badCondition(rule, bad));
  const message = messageOf(relevant) || "All is well";
  const dueMs = dueTimes.length === 0 ? undefined : Math.min(...dueTimes);
  return { condition: { type, status: goodStatus, reason: "AsExpected", message }, dueMs };
}

function settled(condition: StatedCondition): Union {
  return { condition, dueMs: undefined };
}

/** Once one of them counts, all that are bad are told. Those that nobody knows of decide only if no other does. */
function badCondition({ type, goodStatus }: UnionRule, bad: readonly OperatorCondition[]): StatedCondition {
  const badStatus: ConditionStatus = goodStatus === "True" ? "False" : "True";
  const status = bad.some((condition) => condition.status === badStatus) ? badStatus : "Unknown";
  return { type, status, reason: reasonOf(type, bad), message: messageOf(bad) };
}

/** Times have whole seconds: it counts from the second after. */
function dueTimeOf({ lastTransitionTime }: OperatorCondition, inertiaMs: number | undefined): number {
  if (inertiaMs === undefined) return Number.NEGATIVE_INFINITY;
  const sinceMs = timeOf(lastTransitionTime);
  return sinceMs + inertiaMs + 1;
}

/** A time that is missing or cannot be read is long ago. */
function timeOf(text: string | undefined): number {
  try {
    return parseTime(text ?? "");
  } catch {
    return Number.NEGATIVE_INFINITY;
  }
}

/** `FooDegraded: what is wrong`, one line for each line of each message; the same line once. */
function messageOf(conditions: readonly OperatorCondition[]): string {
  const lines = conditions.flatMap(({ type, message = "" }) =>
    message === "" ? [] : [...new Set(message.split("\n"))].map((line) => `${type}: ${line}`),
  );
  return lines.join("\n");
}

/** `Foo_SyncError::Bar_SyncError`: whose it is, and why. */
function reasonOf(type: string, conditions: readonly OperatorCondition[]): string {
  const reasons = conditions.map((condition) => {
    const owner = condition.type.slice(0, -type.length);
    return condition.reason ? `${owner}_${condition.reason}` : owner;
  });
  return reasons.toSorted(byCodeUnits).join("::");
}

function byType(a: OperatorCondition, b: OperatorCondition): number {
  return byCodeUnits(a.type, b.type);
}

function byCodeUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
