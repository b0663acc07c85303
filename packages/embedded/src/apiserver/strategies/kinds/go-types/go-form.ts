import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { fieldsOf, listOf } from "../../json-fields.ts";
import type { GoTypes } from "./go-types.ts";

/**
 * An object as Go writes the type that the original checks, which has no names for JSON: messages show all of its fields by Go's own
 * names, in the order of the declaration. A `Map` is a struct, an object a map.
 */
export function goForm(types: GoTypes, name: string, object: JsonObject): ReadonlyMap<string, unknown> {
  // A few types are the same everywhere and have the names of JSON, by which they leave out what is empty.
  const shown = types.fieldsOf(name).filter(({ go, json, isOptional }) => {
    return go !== json || !isOptional || object[json] !== undefined;
  });
  return new Map(shown.map(({ go, json, type }) => [go, goValue(types, type, object[json])]));
}

const zeros: Readonly<Record<string, unknown>> = { s: "", n: 0, b: false, q: "0" };

function goValue(types: GoTypes, type: string, value: JsonValue | undefined): unknown {
  if (type.startsWith("@")) return goForm(types, type.slice(1), fieldsOf(value));
  if (value === undefined || value === null) return zeros[type] ?? null;
  if (type.startsWith("*")) return goValue(types, type.slice(1), value);
  if (type.startsWith("[]")) return listOf(value).map((item) => goValue(types, type.slice(2), item));
  if (!type.startsWith("{}")) return value;
  const map = fieldsOf(value);
  return Object.fromEntries(
    Object.keys(map)
      .toSorted()
      .map((key) => [key, map[key]]),
  );
}

/** Over several lines, as Go indents it when it compares two of them. */
export function prettyGoJson(value: unknown): string {
  const text = JSON.stringify(
    value,
    (_, field: unknown) => (field instanceof Map ? Object.fromEntries(field) : field),
    1,
  );
  return text.replaceAll(/[<>&\u2028\u2029]/gu, (character) => {
    return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
  });
}
