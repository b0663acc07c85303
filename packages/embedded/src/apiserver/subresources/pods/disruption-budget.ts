import { formatTime, type LabelSelectorShape, labelMatcherFrom } from "@stowage/machinery";
import type { JsonObject } from "@stowage/machinery/apply";
import { ApiError, forbiddenBecause } from "../../answers/index.ts";
import { fieldsOf, listOf, metadataOf, numberOf, specOf, textOf } from "../../strategies/index.ts";
import { isReady } from "./pod-conditions.ts";

/** Evictions that the budget's controller has not heard of yet; more than these and it must be gone. */
const mostDisrupted = 2000;

export function coversPod(budget: JsonObject, pod: JsonObject): boolean {
  const { selector } = specOf(budget);
  if (selector === undefined) return false;
  const labels = fieldsOf(metadataOf(pod)["labels"]) as Record<string, string>;
  try {
    return labelMatcherFrom(selector as LabelSelectorShape).matches(labels);
  } catch {
    // One that selects in no known way selects nothing.
    return false;
  }
}

/** Whether the Pod is no loss: it is not ready, and the budget does without it. */
export function isNoLoss(budget: JsonObject, pod: JsonObject): boolean {
  if (isReady(pod)) return false;
  if (specOf(budget)["unhealthyPodEvictionPolicy"] === "AlwaysAllow") return true;
  const { current, desired } = countsOf(budget);
  return current >= desired && desired > 0;
}

function countsOf(budget: JsonObject) {
  const { currentHealthy, desiredHealthy } = fieldsOf(budget["status"]);
  return { current: numberOf(currentHealthy) ?? 0, desired: numberOf(desiredHealthy) ?? 0 };
}

/** The budget with one disruption less. Throws when it has none to give. */
export function disrupted(budget: JsonObject, podName: string, nowMs: number): JsonObject {
  const status = fieldsOf(budget["status"]);
  const { name: given, generation } = metadataOf(budget);
  const name = textOf(given);
  if ((numberOf(status["observedGeneration"]) ?? 0) < (numberOf(generation) ?? 0)) throw stillProcessed(name);
  const allowed = numberOf(status["disruptionsAllowed"]) ?? 0;
  const named = { group: "policy", plural: "poddisruptionbudget" };
  if (allowed < 0) throw forbiddenBecause(named, name, "pdb disruptions allowed is negative");
  if (Object.keys(fieldsOf(status["disruptedPods"])).length > mostDisrupted) {
    const why = "DisruptedPods map too big - too many evictions not confirmed by PDB controller";
    throw forbiddenBecause(named, name, why);
  }
  if (allowed === 0) throw tooManyRequests(noneLeftText(budget, name));
  const disruptedPods = { ...fieldsOf(status["disruptedPods"]), [podName]: formatTime(nowMs) };
  const next = { ...status, disruptionsAllowed: allowed - 1, disruptedPods };
  return { ...budget, status: allowed > 1 ? next : { ...next, conditions: spentConditions(status, nowMs) } };
}

const conditionType = "DisruptionAllowed";

function conditionsOf(status: JsonObject): JsonObject[] {
  return listOf(status["conditions"]).map(fieldsOf);
}

function spentConditions(status: JsonObject, nowMs: number): JsonObject[] {
  const conditions = conditionsOf(status);
  const known = conditions.find(({ type }) => type === conditionType);
  const next = {
    type: conditionType,
    status: "False",
    observedGeneration: numberOf(status["observedGeneration"]) ?? 0,
    lastTransitionTime: (known?.["status"] === "False" ? known["lastTransitionTime"] : undefined) ?? formatTime(nowMs),
    reason: "InsufficientPods",
    message: "",
  };
  return known === undefined ? [...conditions, next] : conditions.map((each) => (each === known ? next : each));
}

function noneLeftText(budget: JsonObject, name: string): string {
  const known = conditionsOf(fieldsOf(budget["status"])).find(({ type }) => type === conditionType) ?? {};
  const [reason, message] = [textOf(known["reason"]), textOf(known["message"])];
  const isFalse = known["status"] === "False" && message !== "";
  const not = `The disruption budget ${name} does not allow evicting pods currently`;
  if (isFalse && reason === "SyncFailed") return `${not} because it failed sync: ${message}`;
  const { current, desired } = countsOf(budget);
  if (current <= desired) {
    return `The disruption budget ${name} needs ${desired} healthy pods and has ${current} currently`;
  }
  return isFalse ? `${not} (${reason}): ${message}` : not;
}

function stillProcessed(name: string): ApiError {
  return tooManyRequests(`The disruption budget ${name} is still being processed by the server.`, 10);
}

function tooManyRequests(cause: string, retryAfterSeconds?: number): ApiError {
  const message = "Cannot evict pod as it would violate the pod's disruption budget.";
  const causes = [{ reason: "DisruptionBudget", message: cause }];
  return new ApiError(429, "TooManyRequests", message, {
    causes,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
