import { isJsonObject, type JsonObject, type JsonValue } from "../patches/json-value.ts";
import { type FieldSet, FieldSetBuilder } from "./field-set.ts";
import { validElement } from "./list-items.ts";
import { fieldElement, type Path } from "./path-element.ts";
import { fieldType, type ListSchema, type MapSchema, shapeOf, type TypedSchema } from "./typed-schema.ts";

/**
 * The fields that a value has: its leaves, the items of its lists and maps, and what is null or empty. A field of a struct that
 * holds other fields is not among them: whoever owns `.spec.replicas` does not own `.spec`.
 */
export function fieldsOfValue(type: TypedSchema, value: JsonValue): FieldSet {
  const builder = new FieldSetBuilder();
  collect(builder, type, value, []);
  return builder.build();
}

function collect(builder: FieldSetBuilder, type: TypedSchema, value: JsonValue, path: Path): void {
  const shape = shapeOf(type, value);
  if (shape === "map" && type.map) collectMap(builder, type.map, value, path);
  else if (shape === "list" && type.list) collectList(builder, type.list, value, path);
  else builder.insert(path);
}

function collectMap(builder: FieldSetBuilder, map: MapSchema, value: JsonValue, path: Path): void {
  if (map.isAtomic) builder.insert(path);
  else if (isJsonObject(value)) {
    for (const [name, field] of Object.entries(value)) {
      const below = [...path, fieldElement(name)];
      const type = fieldType(map, name);
      if (type !== undefined) collect(builder, type, field, below);
      if (isNullOrEmpty(field) || !map.fields.has(name)) builder.insert(below);
    }
  }
}

function collectList(builder: FieldSetBuilder, list: ListSchema, value: JsonValue, path: Path): void {
  if (list.isAtomic) builder.insert(path);
  else if (Array.isArray(value)) {
    const items = value.map((item) => ({ item, element: validElement(list, item) }));
    const counts = new Map<string, number>();
    for (const { element } of items) counts.set(element.id, (counts.get(element.id) ?? 0) + 1);
    for (const { item, element } of items) {
      const below = [...path, element];
      builder.insert(below);
      // Which of two items with the same keys a field below them would belong to, nobody could say.
      if (counts.get(element.id) === 1) collect(builder, list.item(), item, below);
    }
  }
}

function isNullOrEmpty(value: JsonValue): value is null | JsonObject {
  return value === null || (isJsonObject(value) && Object.keys(value).length === 0);
}
