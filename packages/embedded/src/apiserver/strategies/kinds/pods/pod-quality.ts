import type { Quantity } from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { fieldsOf, isFields, listOf } from "../../json-fields.ts";
import { amountOf } from "../amounts.ts";

const counted = ["cpu", "memory"] as const;

export type PodQuality = "BestEffort" | "Burstable" | "Guaranteed";

/**
 * How much of what it asks for a Pod is sure to get, by which a full node chooses what to evict. What the Pod asks for as a whole
 * counts before what its containers ask for.
 */
export function podQuality(spec: JsonObject): PodQuality {
  const whole = spec["resources"];
  const parts = isFields(whole)
    ? [whole]
    : [...listOf(spec["containers"]), ...listOf(spec["initContainers"])].map((container) =>
        fieldsOf(fieldsOf(container)["resources"]),
      );
  const requests = totals(parts.map((part) => part["requests"]));
  const limits = totals(parts.map((part) => part["limits"]));
  if (requests.size === 0 && limits.size === 0) return "BestEffort";
  const isBounded = parts.every(({ limits: own }) =>
    isFields(whole) && own === undefined ? true : counted.every((name) => isSome(fieldsOf(own)[name])),
  );
  const isSame = requests.size === limits.size && [...requests].every(([name, sum]) => limits.get(name)?.equals(sum));
  return isBounded && isSame ? "Guaranteed" : "Burstable";
}

function totals(lists: readonly (JsonValue | undefined)[]): ReadonlyMap<string, Quantity> {
  const sums = new Map<string, Quantity>();
  for (const list of lists) {
    for (const name of counted) {
      const amount = amountOf(fieldsOf(list)[name]);
      if (amount === undefined || !isSome(fieldsOf(list)[name])) continue;
      sums.set(name, sums.get(name)?.add(amount) ?? amount);
    }
  }
  return sums;
}

function isSome(value: JsonValue | undefined): boolean {
  const amount = amountOf(value);
  return amount !== undefined && !amount.isZero() && !amount.isNegative();
}
