import type { JsonObject } from "@stowage/machinery/apply";
import { type Changes, withFields } from "../json-fields.ts";

/** Sets what is not there. */
export function withDefaults(object: JsonObject, defaults: Changes): JsonObject {
  return withFields({}, { ...defaults, ...object });
}
