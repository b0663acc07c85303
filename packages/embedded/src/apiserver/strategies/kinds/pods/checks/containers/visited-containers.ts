import type { JsonObject } from "@stowage/machinery/apply";
import { itemsOf } from "../field-checks.ts";

export interface VisitedContainer {
  readonly container: JsonObject;
  readonly path: string;
}

/** All of a Pod, in the order of the original. */
export function visitedContainers(spec: JsonObject, path: string): VisitedContainer[] {
  return ["initContainers", "containers", "ephemeralContainers"].flatMap((list) =>
    itemsOf(spec[list]).map((container, index) => ({ container, path: `${path}.${list}[${index}]` })),
  );
}
