import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { fieldsOf, listOf } from "../json-fields.ts";
import { amountOf } from "./amounts.ts";

const counted = ["cpu", "memory"] as const;

/** How much of what its containers ask for they are sure to get, by which a full node chooses what to evict. */
export function podQuality(spec: JsonObject): "BestEffort" | "Burstable" | "Guaranteed" {
  const containers = [...listOf(spec["containers"]), ...listOf(spec["initContainers"])].map((container) =>
    fieldsOf(fieldsOf(container)["resources"]),
  );
  const asked = containers.flatMap(({ requests, limits }) =>
    [requests, limits].flatMap((amounts) => counted.filter((name) => isSome(fieldsOf(amounts)[name]))),
  );
  if (asked.length === 0) return "BestEffort";
  return containers.every(isExact) ? "Guaranteed" : "Burstable";
}

/** A request that is left out is the limit. */
function isExact({ requests, limits }: JsonObject): boolean {
  return counted.every((name) => {
    const limit = amountOf(fieldsOf(limits)[name]);
    const request = amountOf(fieldsOf(requests)[name]) ?? limit;
    return limit?.isZero() === false && request?.equals(limit) === true;
  });
}

function isSome(amount: JsonValue | undefined): boolean {
  return amountOf(amount)?.isZero() === false;
}
