import { equalJson, isJsonObject, type JsonObject, type JsonValue, ownField } from "../patches/json-value.ts";
import { type FieldSet, FieldSetBuilder } from "./field-set.ts";
import { validElement } from "./list-items.ts";
import { fieldElement, type Path, type PathElement } from "./path-element.ts";
import { fieldType, type ListSchema, type MapSchema, type Shape, shapeOf, type TypedSchema } from "./typed-schema.ts";

/** What became of the fields of an object. No field is in two of the sets. */
export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

/** What a filter leaves of each set. */
export function filtered(comparison: Comparison, filter: ((set: FieldSet) => FieldSet) | undefined): Comparison {
  if (filter === undefined) return comparison;
  return {
    removed: filter(comparison.removed),
    modified: filter(comparison.modified),
    added: filter(comparison.added),
  };
}

export function compareObjects(type: TypedSchema, before: JsonValue, after: JsonValue): Comparison {
  const changes = {
    removed: new FieldSetBuilder(),
    modified: new FieldSetBuilder(),
    added: new FieldSetBuilder(),
  };
  compare(changes, type, { before, after, path: [] });
  return {
    removed: changes.removed.build(),
    modified: changes.modified.build(),
    added: changes.added.build(),
  };
}

type Changes = Readonly<Record<keyof Comparison, FieldSetBuilder>>;

/** One place in both objects; undefined where an object does not have it. At least one of them does. */
interface Pair {
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
  readonly path: Path;
}

function compare(changes: Changes, type: TypedSchema, pair: Pair): void {
  const values = [pair.before, pair.after].filter((value) => value !== undefined);
  // A value that turns from one shape into another is compared as both.
  const shapes = new Set(values.map((value) => shapeOf(type, value)));
  let isLeaf = true;
  for (const shape of shapes) isLeaf = compareAs(shape, changes, type, pair);
  if (isLeaf) return;
  if (pair.before === undefined) changes.added.insert(pair.path);
  else if (pair.after === undefined) changes.removed.insert(pair.path);
}

/** Whether it was compared as one value. */
function compareAs(shape: Shape | undefined, changes: Changes, type: TypedSchema, pair: Pair): boolean {
  if (shape === "map" && type.map) return compareMaps(changes, type.map, pair);
  if (shape === "list" && type.list) return compareLists(changes, type.list, pair);
  return compareLeaves(changes, pair);
}

function compareLeaves(changes: Changes, { before, after, path }: Pair): true {
  if (before === undefined) changes.added.insert(path);
  else if (after === undefined) changes.removed.insert(path);
  else if (!equalJson(before, after)) changes.modified.insert(path);
  return true;
}

function compareMaps(changes: Changes, map: MapSchema, pair: Pair): boolean {
  const before = isJsonObject(pair.before) ? pair.before : {};
  const after = isJsonObject(pair.after) ? pair.after : {};
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  // What is empty on both sides may still be null on one of them only.
  if (map.isAtomic || names.size === 0) return compareLeaves(changes, pair);
  for (const name of names) {
    const type = fieldType(map, name);
    const path = [...pair.path, fieldElement(name)];
    if (type !== undefined) compare(changes, type, { ...fieldsAt(before, after, name), path });
  }
  return false;
}

function fieldsAt(before: JsonObject, after: JsonObject, name: string): Omit<Pair, "path"> {
  return { before: ownField(before, name), after: ownField(after, name) };
}

function compareLists(changes: Changes, list: ListSchema, pair: Pair): boolean {
  const before = Array.isArray(pair.before) ? pair.before : [];
  const after = Array.isArray(pair.after) ? pair.after : [];
  if (list.isAtomic || before.length + after.length === 0) return compareLeaves(changes, pair);
  const items = new Map<string, Item>();
  for (const item of before) itemIn(items, validElement(list, item)).before.push(item);
  for (const item of after) itemIn(items, validElement(list, item)).after.push(item);
  for (const item of items.values()) compareItems(changes, list.item(), item, [...pair.path, item.element]);
  return false;
}

/** All items with the same keys. */
interface Item {
  readonly element: PathElement;
  readonly before: JsonValue[];
  readonly after: JsonValue[];
}

function itemIn(items: Map<string, Item>, element: PathElement): Item {
  let item = items.get(element.id);
  if (item === undefined) {
    item = { element, before: [], after: [] };
    items.set(element.id, item);
  }
  return item;
}

/** Items that are there twice are one value together: it comes or goes when they become distinct. */
function compareItems(changes: Changes, type: TypedSchema, { before, after }: Item, path: Path): void {
  if (before.length > 1 && after.length > 1) {
    if (!equalJson(before, after)) changes.modified.insert(path);
  } else if (before.length > 1) {
    if (after.length > 0) compare(changes, type, { before: undefined, after: after[0], path });
    changes.removed.insert(path);
  } else if (after.length > 1) {
    if (before.length > 0) compare(changes, type, { before: before[0], after: undefined, path });
    changes.added.insert(path);
  } else {
    compare(changes, type, { before: before[0], after: after[0], path });
  }
}
