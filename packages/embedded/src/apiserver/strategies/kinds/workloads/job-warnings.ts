import type { JsonObject } from "@stowage/machinery/apply";
import { numberOf } from "../../json-fields.ts";
import { podTemplateWarnings } from "../pods/index.ts";
import { templateOf } from "./pod-templates.ts";

const manyWarning =
  "In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, " +
  "Kubernetes might not be able to track completedIndexes when a big number of indexes fail";

export function jobWarnings(spec: JsonObject, path: string, old?: JsonObject): string[] {
  const { completionMode, completions, parallelism } = spec;
  const isLarge = (numberOf(completions) ?? 0) > 100_000 && (numberOf(parallelism) ?? 0) > 10_000;
  return [
    ...(completionMode === "Indexed" && isLarge ? [`${path}: ${manyWarning}`] : []),
    ...podTemplateWarnings(templateOf(spec), `${path}.template`, old && templateOf(old)),
  ];
}
