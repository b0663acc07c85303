/**
 * What server-side apply must know of a type. A value may have any of the shapes that are set: a type of `int-or-string` or of
 * unknown fields has several, most have one.
 */
export interface TypedSchema {
  readonly scalar?: ScalarKind;
  readonly list?: ListSchema;
  readonly map?: MapSchema;
}

export type ScalarKind = "boolean" | "numeric" | "string" | "untyped";

/** Types refer to each other, and to themselves: they are looked up when they are needed. */
export type SchemaReference = () => TypedSchema;

export interface ListSchema {
  /** An atomic list is one value. The items of the others are owned one by one: by their keys, or as the values of a set. */
  readonly isAtomic: boolean;
  /** Empty for a set, and for an atomic list. */
  readonly keys: readonly string[];
  readonly item: SchemaReference;
}

/** A struct has fields, a map has values; an object that preserves unknown fields has both. */
export interface MapSchema {
  readonly isAtomic: boolean;
  readonly fields: ReadonlyMap<string, StructField>;
  /** The type of what is not among the fields; undefined when there may be nothing else. */
  readonly values: SchemaReference | undefined;
  /** Anything may be in it and nothing is declared: its ownership is never brought in line with the schema. */
  readonly isDeduced: boolean;
}

export interface StructField {
  readonly type: SchemaReference;
  /** The value of a key that an item of a list leaves out. */
  readonly default?: unknown;
  /** What an object that nothing was set in has here: the zero value of the type, or null. Most fields are left out. */
  readonly zero?: "null" | "value";
}

/** One value, whatever it is made of: what a field holds that is of no known type. */
export const untypedAtomic: TypedSchema = {
  scalar: "untyped",
  list: { isAtomic: true, keys: [], item: () => untypedAtomic },
  map: { isAtomic: true, fields: new Map(), values: () => untypedAtomic, isDeduced: false },
};

/** Maps are owned field by field, lists as a whole: what an object has that preserves unknown fields. */
export const deduced: TypedSchema = {
  scalar: "untyped",
  list: { isAtomic: true, keys: [], item: () => untypedAtomic },
  map: { isAtomic: false, fields: new Map(), values: () => deduced, isDeduced: true },
};

/** The same type, where the field that leads to it says how its own items belong together. */
export function withRelation(type: TypedSchema, isAtomic: boolean): TypedSchema {
  if (type.map !== undefined) return { ...type, map: { ...type.map, isAtomic } };
  return type.list === undefined ? type : { ...type, list: { ...type.list, isAtomic } };
}

/** The type of one field or value of a map; undefined when the schema does not have it. */
export function fieldType(map: MapSchema, name: string): TypedSchema | undefined {
  return (map.fields.get(name)?.type ?? map.values)?.();
}

export type Shape = "list" | "map" | "scalar";

/** Which of its shapes a value has. For null, and for what does not fit, it is the first that the type allows. */
export function shapeOf(type: TypedSchema, value: unknown): Shape | undefined {
  const own = ownShape(value);
  if (own !== undefined && type[own] !== undefined) return own;
  if (type.map !== undefined) return "map";
  if (type.scalar !== undefined) return "scalar";
  return type.list === undefined ? undefined : "list";
}

function ownShape(value: unknown): Shape | undefined {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) return "list";
  return typeof value === "object" ? "map" : "scalar";
}
