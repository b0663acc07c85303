import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, forbidden, invalid } from "@stowage/machinery/structural";
import { sameJson } from "../json-fields.ts";

export function immutableField(path: string, now: JsonValue | undefined, before: JsonValue | undefined): FieldError[] {
  return sameJson(now, before) ? [] : [invalid(path, now ?? null, "field is immutable")];
}

/** Of a ConfigMap or a Secret that has been made immutable. */
export function sealedErrors(object: JsonObject, old: JsonObject, fields: readonly string[]): FieldError[] {
  if (old["immutable"] !== true) return [];
  const detail = "field is immutable when `immutable` is set";
  return [
    ...(object["immutable"] === true ? [] : [forbidden("immutable", detail)]),
    ...fields.filter((name) => !sameJson(object[name], old[name])).map((name) => forbidden(name, detail)),
  ];
}
