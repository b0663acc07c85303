import type { JsonObject } from "@stowage/machinery/apply";
import { fieldsOf, listOf } from "../../json-fields.ts";

export function conditionStatus(job: JsonObject, type: string): string | undefined {
  const conditions = listOf(fieldsOf(job["status"])["conditions"]).map(fieldsOf);
  const isTrue = conditions.some((condition) => condition["type"] === type && condition["status"] === "True");
  if (isTrue) return "True";
  const found = conditions.find((condition) => condition["type"] === type)?.["status"];
  return typeof found === "string" ? found : undefined;
}

export function hasCondition(job: JsonObject, type: string): boolean {
  return conditionStatus(job, type) === "True";
}
