import {
  type Condition,
  type LabelSelector,
  type Pod,
  type PodDisruptionBudget,
  type PodDisruptionBudgetStatus,
  parseTime,
  setCondition,
} from "@stowage/machinery";
import { isPodReady, scaledValue } from "../../kit/index.ts";

/** So long an eviction may take until the Pod is seen to be going; then it is not going to. */
const DELETION_MS = 120_000;
const CONDITION = "DisruptionAllowed";

export interface Expected {
  readonly expectedPods: number;
  readonly desiredHealthy: number;
}

/** By number alone, the Pods that there are count; else those that their controllers want. */
export function needsScale({ spec }: PodDisruptionBudget): boolean {
  return spec?.maxUnavailable !== undefined || typeof spec?.minAvailable === "string";
}

export function expectedOf({ spec }: PodDisruptionBudget, pods: readonly Pod[], scale: number): Expected {
  const { maxUnavailable, minAvailable } = spec ?? {};
  if (maxUnavailable !== undefined) {
    return { expectedPods: scale, desiredHealthy: Math.max(0, scale - scaledValue(maxUnavailable, scale, true)) };
  }
  if (minAvailable === undefined) return { expectedPods: 0, desiredHealthy: 0 };
  const expectedPods = typeof minAvailable === "number" ? pods.length : scale;
  return { expectedPods, desiredHealthy: scaledValue(minAvailable, scale, true) };
}

/** Those that were evicted and are not going yet, with when that was. */
export function disruptedPods(
  { status }: PodDisruptionBudget,
  pods: readonly Pod[],
  nowMs: number,
): Readonly<Record<string, string>> {
  const living = new Set(pods.filter(isStaying).map(({ metadata }) => metadata.name));
  const entries = Object.entries(status?.disruptedPods ?? {});
  return Object.fromEntries(
    entries.filter(([name, time]) => living.has(name) && parseTime(time) + DELETION_MS >= nowMs),
  );
}

/** In how long the first of them is given up; undefined when there are none. */
export function nextRecheckMs(disrupted: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const waits = Object.values(disrupted).map((time) => parseTime(time) + DELETION_MS - nowMs);
  return waits.length === 0 ? undefined : Math.min(...waits);
}

const isStaying = ({ metadata }: Pod) => metadata.deletionTimestamp === undefined;

export function desiredBudgetStatus(
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
  { expected, nowMs }: { readonly expected: Expected; readonly nowMs: number },
): PodDisruptionBudgetStatus {
  const disrupted = disruptedPods(budget, pods, nowMs);
  const healthy = pods.filter((pod) => isStaying(pod) && isPodReady(pod));
  const currentHealthy = healthy.filter(({ metadata }) => !Object.hasOwn(disrupted, metadata.name ?? "")).length;
  const { expectedPods, desiredHealthy } = expected;
  const disruptionsAllowed = expectedPods <= 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
  const observedGeneration = budget.metadata.generation;
  const said =
    disruptionsAllowed > 0
      ? { status: "True", reason: "SufficientPods" }
      : { status: "False", reason: "InsufficientPods" };
  return {
    currentHealthy,
    desiredHealthy,
    expectedPods,
    disruptionsAllowed,
    ...(Object.keys(disrupted).length > 0 && { disruptedPods: { ...disrupted } }),
    observedGeneration,
    conditions: withSaid(budget, { ...said, message: "", observedGeneration }, nowMs),
  };
}

/** When it cannot be known, nothing may be disrupted. */
export function failedBudgetStatus(
  budget: PodDisruptionBudget,
  message: string,
  nowMs: number,
): PodDisruptionBudgetStatus {
  const { status } = budget;
  const said = { status: "False", reason: "SyncFailed", message, observedGeneration: status?.observedGeneration };
  return { ...status, disruptionsAllowed: 0, conditions: withSaid(budget, said, nowMs) };
}

type Said = Pick<Condition, "status" | "reason" | "message" | "observedGeneration">;

function withSaid({ status }: PodDisruptionBudget, said: Said, nowMs: number): Condition[] {
  return setCondition<Condition>(status?.conditions, { type: CONDITION, ...said }, nowMs);
}

/** As Go prints it, which is how the event has it. */
export function selectorText(selector: LabelSelector | undefined): string {
  if (selector === undefined) return "nil";
  const { matchLabels = {}, matchExpressions = [] } = selector;
  const labels = Object.entries(matchLabels)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}: ${value},`);
  const expressions = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(" ")}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join("")}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join("")}},}`;
}
