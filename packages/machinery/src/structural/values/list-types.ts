import { isJsonObject, type JsonObject, type JsonValue } from "../../patches/json-value.ts";
import { duplicate, type FieldError, invalid } from "../errors/field-error.ts";
import { child, indexed, keyed } from "../errors/field-path.ts";
import { goJson } from "../errors/go-text.ts";
import type { SchemaNode } from "../schema/schema-node.ts";

/** What is twice in lists of the types `set` and `map`. */
export function duplicateErrors(value: JsonValue, node: SchemaNode, path = ""): FieldError[] {
  if (Array.isArray(value)) return errorsOfList(value, node, path);
  if (!isJsonObject(value)) return [];
  const { additionalProperties, properties } = node;
  return Object.entries(value).flatMap(([name, field]) => [
    ...(typeof additionalProperties === "object"
      ? duplicateErrors(field, additionalProperties, keyed(path, name))
      : []),
    ...errorsOfProperty(field, properties.get(name), child(path, name)),
  ]);
}

function errorsOfProperty(value: JsonValue, node: SchemaNode | undefined, path: string): FieldError[] {
  return node === undefined ? [] : duplicateErrors(value, node, path);
}

function errorsOfList(list: readonly JsonValue[], node: SchemaNode, path: string): FieldError[] {
  const { items } = node;
  const inItems =
    items === undefined ? [] : list.flatMap((item, index) => duplicateErrors(item, items, indexed(path, index)));
  return [...errorsOfType(list, node, path), ...inItems];
}

function errorsOfType(list: readonly JsonValue[], node: SchemaNode, path: string): FieldError[] {
  if (node.listType === "set") return duplicatesOf(list).map((index) => duplicate(indexed(path, index), list[index]));
  return node.listType === "map" ? errorsOfMap(list, node.listMapKeys, path) : [];
}

function errorsOfMap(list: readonly JsonValue[], keys: readonly string[], path: string): FieldError[] {
  const wrong = list.findIndex((item) => item !== null && !isJsonObject(item));
  if (wrong !== -1) {
    const detail = "must be an object for an array of list-type map";
    return [invalid(indexed(path, wrong), list[wrong], detail)];
  }
  const found = list.map((item) => keysOf(item as JsonObject | null, keys));
  return duplicatesOf(found).map((index) => duplicate(indexed(path, index), found[index]));
}

function keysOf(item: JsonObject | null, keys: readonly string[]): JsonObject {
  if (item === null) return {};
  return Object.fromEntries(keys.filter((key) => Object.hasOwn(item, key)).map((key) => [key, item[key] ?? null]));
}

/** Only the second of many equal ones is told. */
function duplicatesOf(list: readonly JsonValue[]): number[] {
  const counts = new Map<string, number>();
  return [...list.keys()].filter((index) => {
    const text = goJson(list[index]);
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return count === 2;
  });
}
