import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, invalid } from "@stowage/machinery/structural";
import { numberOf } from "../json-fields.ts";

/** What is left out is not negative. */
export function nonNegativeErrors(fields: JsonObject, path: string, names: readonly string[]): FieldError[] {
  return names.flatMap((name) => nonNegativeError(fields[name], `${path}.${name}`));
}

export function nonNegativeError(value: JsonValue | undefined, path: string): FieldError[] {
  const isNegative = (numberOf(value) ?? 0) < 0;
  return isNegative ? [invalid(path, value, "must be greater than or equal to 0")] : [];
}
