import { isJsonObject, type JsonObject, type JsonValue } from "../patches/json-value.ts";
import type { FieldSet } from "./field-set.ts";
import { setField } from "./json-object.ts";
import { validElement } from "./list-items.ts";
import { fieldElement } from "./path-element.ts";
import { fieldType, type ListSchema, type MapSchema, shapeOf, type TypedSchema } from "./typed-schema.ts";

/** The value without the fields of a set. A list or map of which nothing is left is null. */
export function withoutFields(type: TypedSchema, value: JsonValue, set: FieldSet): JsonValue {
  const shape = shapeOf(type, value);
  if (shape === "map" && type.map) return mapWithout(type.map, value, set);
  if (shape === "list" && type.list) return listWithout(type.list, value, set);
  return value;
}

function mapWithout(map: MapSchema, value: JsonValue, set: FieldSet): JsonValue {
  if (map.isAtomic || !isJsonObject(value)) return null;
  const kept: JsonObject = {};
  for (const [name, field] of Object.entries(value)) {
    const element = fieldElement(name);
    if (set.hasElement(element)) continue;
    setField(kept, name, remaining(fieldType(map, name), field, set.below(element)));
  }
  return Object.keys(kept).length === 0 ? null : kept;
}

function listWithout(list: ListSchema, value: JsonValue, set: FieldSet): JsonValue {
  if (list.isAtomic || !Array.isArray(value)) return null;
  const kept = value
    .map((item) => ({ item, element: validElement(list, item) }))
    .filter(({ element }) => !set.hasElement(element))
    .map(({ item, element }) => remaining(list.item(), item, set.below(element)));
  return kept.length === 0 ? null : kept;
}

function remaining(type: TypedSchema | undefined, value: JsonValue, set: FieldSet): JsonValue {
  return set.isEmpty || type === undefined ? value : withoutFields(type, value, set);
}
