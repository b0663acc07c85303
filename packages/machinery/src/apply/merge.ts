import { isJsonObject, type JsonObject, type JsonValue, ownField } from "../patches/json-value.ts";
import { setField } from "./json-object.ts";
import { validElement } from "./list-items.ts";
import { mergeOrder } from "./list-order.ts";
import type { PathElement } from "./path-element.ts";
import { fieldType, type ListSchema, type MapSchema, shapeOf, type TypedSchema } from "./typed-schema.ts";

/**
 * Lays an applied configuration over the live object. Nothing is removed by it: a null, too, only replaces a value, not the
 * content of a list or map.
 */
export function mergeObjects(type: TypedSchema, live: JsonValue, applied: JsonValue): JsonValue {
  return merge(type, live, applied) ?? null;
}

type Value = JsonValue | undefined;

/** Undefined when nothing came out of it; of the two, at least one is there. */
function merge(type: TypedSchema, live: Value, applied: Value): Value {
  const shape = shapeOf(type, applied === undefined ? live : applied);
  if (shape === "map" && type.map) return mergeMaps(type.map, live, applied);
  if (shape === "list" && type.list) return mergeLists(type.list, live, applied);
  return later(live, applied);
}

function later(live: Value, applied: Value): Value {
  return applied === undefined ? live : applied;
}

function mergeMaps(map: MapSchema, live: Value, applied: Value): Value {
  const before = isJsonObject(live) ? live : {};
  const over = isJsonObject(applied) ? applied : {};
  const names = new Set([...Object.keys(before), ...Object.keys(over)]);
  if (map.isAtomic || names.size === 0) return later(live, applied);
  const merged: JsonObject = {};
  for (const name of names) {
    const type = fieldType(map, name);
    const value = type && merge(type, ownField(before, name), ownField(over, name));
    if (value !== undefined) setField(merged, name, value);
  }
  return Object.keys(merged).length === 0 ? undefined : merged;
}

function mergeLists(list: ListSchema, live: Value, applied: Value): Value {
  const before = Array.isArray(live) ? live : [];
  const over = Array.isArray(applied) ? applied : [];
  if (list.isAtomic || before.length + over.length === 0) return later(live, applied);
  const liveItems = indexed(list, before);
  const appliedItems = indexed(list, over);
  const merged = mergeOrder(liveItems.elements, appliedItems.elements).map((place) => {
    const appliedItem = place.isApplied ? appliedItems.byId.get(place.element.id) : undefined;
    const liveItem = place.isApplied ? liveItems.byId.get(place.element.id) : before[place.livePosition];
    return merge(list.item(), liveItem, appliedItem);
  });
  const kept = merged.filter((item) => item !== undefined);
  return kept.length === 0 ? undefined : kept;
}

interface Indexed {
  readonly elements: readonly PathElement[];
  readonly byId: ReadonlyMap<string, JsonValue>;
}

/** Of items that are there twice, none is merged with what is applied: it takes the place of all. */
function indexed(list: ListSchema, items: readonly JsonValue[]): Indexed {
  const elements = items.map((item) => validElement(list, item));
  const byId = new Map<string, JsonValue>();
  for (const [position, { id }] of elements.entries()) byId.set(id, byId.has(id) ? null : (items[position] ?? null));
  return { elements, byId };
}
