import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { fieldsOf, listOf, specOf } from "../strategies/index.ts";
import { larger, type ResourceList, resourceList, sum } from "./resource-lists.ts";

export type Resources = "limits" | "requests";

export function containerResources(container: JsonValue, which: Resources): ResourceList {
  return resourceList(fieldsOf(fieldsOf(container)["resources"])[which]);
}

/** What can be set for a Pod as a whole. */
const podLevel: ReadonlySet<string> = new Set(["cpu", "memory"]);

export interface PodResourcesOptions {
  /** What the runtime needs for itself counts where the Pod is charged for it, and not where its limits are checked. */
  readonly withOverhead: boolean;
}

/**
 * What a Pod needs at once: all containers together with those that start before and stay, or, where that is more, what the others
 * that start before need while they run. What is set for the Pod as a whole counts before all of it.
 */
export function podResources(pod: JsonObject, which: Resources, { withOverhead }: PodResourcesOptions): ResourceList {
  const spec = specOf(pod);
  const none: ResourceList = new Map();
  let total = listOf(spec["containers"])
    .map((each) => containerResources(each, which))
    .reduce(sum, none);
  let staying = none;
  let starting = none;
  for (const container of listOf(spec["initContainers"])) {
    const own = containerResources(container, which);
    const isStaying = fieldsOf(container)["restartPolicy"] === "Always";
    if (isStaying) {
      total = sum(total, own);
      staying = sum(staying, own);
    }
    starting = larger(starting, isStaying ? staying : sum(own, staying));
  }
  const needed = larger(total, starting);
  const overridden = new Map(needed);
  for (const [name, amount] of resourceList(fieldsOf(spec["resources"])[which])) {
    if (podLevel.has(name) || (withOverhead && name.startsWith("hugepages-"))) overridden.set(name, amount);
  }
  return withOverhead ? withCost(overridden, resourceList(spec["overhead"]), which) : overridden;
}

/** A limit that is not set stays so. */
function withCost(list: ResourceList, overhead: ResourceList, which: Resources): ResourceList {
  if (which === "requests") return sum(list, overhead);
  return new Map(
    [...list].map(([name, amount]) => [name, overhead.has(name) ? amount.add(overhead.get(name) ?? amount) : amount]),
  );
}
