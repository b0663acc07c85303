import * as fc from "fast-check";

export type Json = Record<string, unknown>;

/**
 * A form of objects, from which both objects and strategic merge patches of them are drawn. A `value` is taken whole; a list
 * is a `set` of plain values, or has items told apart by a `key`.
 */
export type Shape =
  | { readonly value: fc.Arbitrary<unknown> }
  | { readonly map: fc.Arbitrary<unknown> }
  | { readonly fields: Fields; readonly required?: readonly string[] }
  | ListShape;

type ListShape = { readonly set: fc.Arbitrary<unknown> } | KeyedShape;

interface KeyedShape {
  readonly key: string;
  readonly keys: fc.Arbitrary<unknown>;
  readonly item: Fields;
  readonly required?: readonly string[];
}

export type Fields = Readonly<Record<string, Shape>>;

const mapKey = fc.constantFrom("a", "b", "c", "constructor");

export function objectOf(shape: Shape): fc.Arbitrary<unknown> {
  if ("value" in shape) return shape.value;
  if ("map" in shape) return fc.dictionary(mapKey, shape.map, { maxKeys: 3, noNullPrototype: true });
  if ("set" in shape) return fc.uniqueArray(shape.set, { maxLength: 3 });
  if ("fields" in shape) return recordOf(shape.fields, shape.required ?? []);
  const item = recordOf({ [shape.key]: { value: shape.keys }, ...shape.item }, [shape.key, ...(shape.required ?? [])]);
  return fc.uniqueArray(item, { maxLength: 4, minLength: 1, selector: (drawn) => drawn[shape.key] });
}

function recordOf(fields: Fields, requiredKeys: string[] | readonly string[]): fc.Arbitrary<Json> {
  const drawn = Object.fromEntries(Object.entries(fields).map(([name, shape]) => [name, objectOf(shape)]));
  return fc.record<Json>(drawn, { requiredKeys: [...requiredKeys], noNullPrototype: true });
}

/** Strategic merge patches with all their directives, of which most make sense and some do not. */
export function patchOf(fields: Fields): fc.Arbitrary<Json> {
  return withDirective(fieldPatches(fields, []));
}

function valuePatch(shape: Exclude<Shape, ListShape>): fc.Arbitrary<unknown> {
  if ("value" in shape) return shape.value;
  if ("fields" in shape) return patchOf(shape.fields);
  return fc.dictionary(mapKey, orNull(shape.map), { maxKeys: 3, noNullPrototype: true });
}

function orNull<T>(drawn: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: 6, arbitrary: drawn }, { weight: 1, arbitrary: fc.constant(null) });
}

/** Patches of some fields; a list comes with the directives that stand beside it. */
function fieldPatches(fields: Fields, required: readonly string[]): fc.Arbitrary<Json> {
  const parts = Object.entries(fields).map(([name, shape]): fc.Arbitrary<Json> => {
    const isList = "set" in shape || "key" in shape;
    const part = isList ? listPatch(name, shape) : orNull(valuePatch(shape)).map((value): Json => ({ [name]: value }));
    const weight = required.includes(name) ? 9 : 1;
    return fc.oneof({ weight, arbitrary: part }, { weight: 1, arbitrary: fc.constant({}) });
  });
  return fc.tuple(...parts).map((drawn) => Object.fromEntries(drawn.flatMap((part) => Object.entries(part))));
}

function withDirective(drawn: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  const retained = (patch: Json) => Object.keys(patch).filter((name) => !name.startsWith("$"));
  const directive = fc.oneof(
    { weight: 20, arbitrary: fc.constant(() => ({})) },
    { weight: 3, arbitrary: fc.constant((patch: Json) => ({ $retainKeys: retained(patch) })) },
    { weight: 1, arbitrary: fc.constant(() => ({ $retainKeys: ["a", "name", "type"] })) },
    { weight: 1, arbitrary: fc.constantFrom("replace", "delete", "merge").map(($patch) => () => ({ $patch })) },
  );
  return fc.tuple(drawn, directive).map(([patch, added]) => {
    const whole: Json = { ...patch, ...added(patch) };
    // The server makes empty strings of the nulls in a map that takes the place of another; ours leaves them out.
    return whole["$patch"] === "replace" ? (withoutNulls(whole) as Json) : whole;
  });
}

function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutNulls(field)]));
}

function listPatch(name: string, shape: ListShape): fc.Arbitrary<Json> {
  const items = "set" in shape ? fc.uniqueArray(shape.set, { maxLength: 3 }) : keyedItems(shape);
  const keys = "set" in shape ? shape.set : shape.keys.map((value): unknown => ({ [shape.key]: value }));
  const named = fc.uniqueArray(keys, { maxLength: 4, selector: (key) => JSON.stringify(key) });
  const plain = orNull(items).map((list): Json => ({ [name]: list }));
  // An order of an empty list the server cannot bear (500).
  const ordered = fc.tuple(items, named, fc.boolean()).map(([list, order, tidy]): Json => {
    const change = tidy ? tidied(list, order, shape) : list;
    return { ...(change.length > 0 && { [name]: change }), [`$setElementOrder/${name}`]: order };
  });
  const reordered = named.map((order): Json => ({ [`$setElementOrder/${name}`]: order }));
  // What is both added and deleted the server leaves to chance.
  const deleted = fc.tuple(items, named).map(([list, gone]): Json => {
    const added = list.filter((item) => !gone.includes(item));
    return "set" in shape ? { [name]: added, [`$deleteFromPrimitiveList/${name}`]: gone } : { [name]: list };
  });
  return fc.oneof({ weight: 3, arbitrary: plain }, { weight: 3, arbitrary: ordered }, reordered, deleted);
}

/** The items that an order names, in that order, and then the deletions. */
function tidied(list: unknown[], order: unknown[], shape: ListShape): unknown[] {
  const keyOf = (item: unknown) => ("key" in shape ? (item as Json)[shape.key] : item);
  const isMarked = (item: unknown) => typeof item === "object" && item !== null && "$patch" in item;
  const named = order.flatMap((key) => list.filter((item) => keyOf(item) === keyOf(key) && !isMarked(item)));
  return [...named, ...list.filter(isMarked)];
}

function keyedItems(shape: KeyedShape): fc.Arbitrary<unknown[]> {
  const key = shape.keys.map((value): Json => ({ [shape.key]: value }));
  const fields = fieldPatches(shape.item, shape.required ?? []);
  const item = fc.oneof(
    { weight: 20, arbitrary: fc.tuple(key, fields).map(([named, rest]): Json => ({ ...rest, ...named })) },
    { weight: 6, arbitrary: key.map((named): Json => ({ ...named, $patch: "delete" })) },
    { weight: 1, arbitrary: key.map((named): Json => ({ ...named, $patch: "merge" })) },
    { weight: 1, arbitrary: fc.constantFrom<Json[]>({ $patch: "replace" }, {}) },
  );
  return fc.array(item, { maxLength: 4 });
}
