import { Quantity } from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { fieldsOf, isFields, listOf, withFields } from "../../json-fields.ts";
import type { GoField, GoTypes } from "./go-types.ts";

/**
 * An object as the original writes it: what it keeps without a pointer and is empty is left out, what it never leaves out is null,
 * amounts are in their one way of being written.
 */
export function wireForm(types: GoTypes, name: string, object: JsonObject): JsonObject {
  const changes = types.fieldsOf(name).map((field): [string, JsonValue | undefined] => {
    return [field.json, wireField(types, field, object[field.json])];
  });
  return withFields(object, Object.fromEntries(changes));
}

/** The same of a part of an object that may be missing, which then stays so. */
export function wirePart(types: GoTypes, name: string, part: JsonValue | undefined): JsonObject | undefined {
  return isFields(part) ? wireForm(types, name, part) : undefined;
}

const zeros: Readonly<Record<string, JsonValue>> = { s: "", n: 0, b: false };

function wireField(types: GoTypes, { type, isOptional }: GoField, value: JsonValue | undefined): JsonValue | undefined {
  if (value === undefined || value === null) return isNullWhenEmpty(type, isOptional) ? null : value;
  if (isOptional && zeros[type] === value) return undefined;
  return wireValue(types, type, value);
}

function isNullWhenEmpty(type: string, isOptional: boolean): boolean {
  return type === "t" || (!isOptional && (type.startsWith("*") || type.startsWith("[]")));
}

function wireValue(types: GoTypes, type: string, value: JsonValue): JsonValue {
  if (type.startsWith("*")) return wireValue(types, type.slice(1), value);
  if (type.startsWith("@")) return isFields(value) ? wireForm(types, type.slice(1), value) : value;
  if (type.startsWith("[]@")) return listOf(value).map((item) => wireForm(types, type.slice(3), fieldsOf(item)));
  if (type === "q") return canonical(value, (amount) => amount);
  if (type !== "{}q") return value;
  // Amounts in a list of resources are rounded; one that stands alone is not.
  const amounts = Object.entries(fieldsOf(value)).map(([name, amount]): [string, JsonValue] => [
    name,
    canonical(amount, (exact) => exact.roundUpToMilli()),
  ]);
  return Object.fromEntries(amounts);
}

/** Throws what cannot be read: it is the decoder's to say. */
function canonical(value: JsonValue, rounded: (amount: Quantity) => Quantity): JsonValue {
  return rounded(Quantity.fromJson(value ?? "0")).toString();
}
