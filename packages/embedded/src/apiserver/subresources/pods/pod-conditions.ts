import { formatTime } from "@stowage/machinery";
import type { JsonObject } from "@stowage/machinery/apply";
import { fieldsOf, listOf } from "../../strategies/index.ts";

interface PodCondition {
  readonly type: string;
  readonly status: "False" | "True";
  readonly reason?: string;
  readonly message?: string;
}

/** The time is of when its status last changed. */
export function withPodCondition(pod: JsonObject, condition: PodCondition, nowMs: number): JsonObject {
  const status = fieldsOf(pod["status"]);
  const conditions = listOf(status["conditions"]).map(fieldsOf);
  const known = conditions.find(({ type }) => type === condition.type);
  const since = known?.["status"] === condition.status ? known["lastTransitionTime"] : undefined;
  const lastProbeTime = null;
  const next = { ...condition, lastProbeTime, lastTransitionTime: since ?? formatTime(nowMs) };
  const others = known === undefined ? [...conditions, next] : conditions.map((each) => (each === known ? next : each));
  return { ...pod, status: { ...status, conditions: others } };
}

export function isReady(pod: JsonObject): boolean {
  const conditions = listOf(fieldsOf(pod["status"])["conditions"]).map(fieldsOf);
  return conditions.some(({ type, status }) => type === "Ready" && status === "True");
}
