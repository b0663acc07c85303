import type { JsonObject, JsonValue, MapSchema, TypedSchema } from "@stowage/machinery/apply";
import { decodeMetadata } from "@stowage/machinery/structural";
import { fieldsOf, isFields, textOf } from "./json-fields.ts";
import type { ReadObject } from "./strategy.ts";

export interface FormOptions {
  /** Most kinds are kept as protobuf, which cannot tell an empty list from none. */
  readonly keepsEmptyLists: boolean;
}

/**
 * An object of a built-in kind as it comes out of the types of the original: unknown fields, nulls and empty maps and lists are
 * gone, and what is never left out is there. What the table of types does not say is left as it is: whether a field is a pointer, so
 * that empty texts, zeros and false stay where somebody wrote them.
 */
export function builtInForm(type: TypedSchema, object: JsonObject, options: FormOptions): ReadObject {
  const { apiVersion = "", kind = "", metadata = {}, ...rest } = object;
  const reading: Reading = { ...options, root: textOf(kind), unknownFields: [], problem: undefined };
  const meta = readMetadata(metadata, reading);
  const body = struct(type.map, rest, "", reading);
  const { apiVersion: _, kind: __, metadata: ___, ...fields } = body;
  return { object: { kind, apiVersion, metadata: meta, ...fields }, ...reading };
}

interface Reading extends FormOptions {
  readonly root: string;
  readonly unknownFields: string[];
  problem: string | undefined;
}

/** Two things that are empty mean something: no managers, that they are to be forgotten; no time left, that there was some. */
export function readMetadata(metadata: JsonValue, reading: Pick<Reading, "unknownFields" | "problem">): JsonObject {
  const decoded = decodeMetadata(metadata);
  if (typeof decoded === "string") {
    reading.problem ??= decoded.replace("ObjectMeta.", "ObjectMeta.metadata.");
    return fieldsOf(metadata);
  }
  reading.unknownFields.push(...decoded.unknown.map((path) => `metadata.${path}`));
  const { managedFields, deletionGracePeriodSeconds } = fieldsOf(metadata);
  const forgets = Array.isArray(managedFields) && managedFields.length === 0;
  return {
    ...decoded.metadata,
    ...(deletionGracePeriodSeconds === 0 && { deletionGracePeriodSeconds }),
    ...(forgets && { managedFields: [] }),
  };
}

function struct(map: MapSchema | undefined, object: JsonObject, path: string, reading: Reading): JsonObject {
  const result = new Map<string, JsonValue>();
  for (const [name, value] of Object.entries(object)) {
    const field = map?.fields.get(name);
    const type = field?.type() ?? map?.values?.();
    const at = path === "" ? name : `${path}.${name}`;
    if (type === undefined) reading.unknownFields.push(at);
    else {
      const formed = value === null ? nullOf(field === undefined, type) : form(type, value, at, reading);
      if (formed !== undefined && (field?.zero !== undefined || !isEmpty(formed, type))) result.set(name, formed);
    }
  }
  for (const [name, field] of map?.fields ?? []) {
    if (field.zero === undefined || hasValue(result.get(name), reading)) continue;
    result.set(name, field.zero === "null" ? null : zeroOf(field.type(), reading));
  }
  return Object.fromEntries(result);
}

function hasValue(value: JsonValue | undefined, { keepsEmptyLists }: Reading): boolean {
  return value !== undefined && (keepsEmptyLists || !Array.isArray(value) || value.length > 0);
}

/** A text of a map that is null is an empty one; everything else that is null is left out. */
function nullOf(isInMap: boolean, type: TypedSchema): JsonValue | undefined {
  if (isAnything(type)) return null;
  return isInMap && type.scalar === "string" ? "" : undefined;
}

function form(type: TypedSchema, value: JsonValue, path: string, reading: Reading): JsonValue {
  if (isAnything(type)) return value;
  if (Array.isArray(value)) return type.list === undefined ? mismatch(type, value, path, reading) : items();
  if (isFields(value)) return type.map === undefined ? mismatch(type, value, path, reading) : fields(type.map, value);
  return isScalar(type, value) ? value : mismatch(type, value, path, reading);

  function items(): JsonValue {
    const item = type.list?.item() ?? {};
    return (value as JsonValue[]).map((each, index) =>
      each === null ? zeroOf(item, reading) : form(item, each, `${path}[${index}]`, reading),
    );
  }

  function fields(map: MapSchema, object: JsonObject): JsonValue {
    return struct(map, object, path, reading);
  }
}

/** A field of JSON, which is kept as it was written. */
function isAnything({ scalar, map, list }: TypedSchema): boolean {
  return scalar === "untyped" && (map !== undefined || list !== undefined);
}

/** Maps and lists are left out when they are empty; a struct is there because somebody asked for it. */
function isEmpty(value: JsonValue, { map, list }: TypedSchema): boolean {
  if (Array.isArray(value)) return list !== undefined && value.length === 0;
  const isMap = map !== undefined && map.fields.size === 0 && !map.isDeduced;
  return isMap && isFields(value) && Object.keys(value).length === 0;
}

function isScalar({ scalar }: TypedSchema, value: JsonValue): boolean {
  if (scalar === "numeric") return typeof value === "number";
  return scalar === "untyped" || typeof value === scalar;
}

function zeroOf(type: TypedSchema, reading: Reading): JsonValue {
  if (type.map !== undefined && type.scalar === undefined) return struct(type.map, {}, "", reading);
  const zeros = { string: "", numeric: 0, boolean: false, untyped: null };
  return type.scalar === undefined ? null : zeros[type.scalar];
}

const goTypes = { string: "string", numeric: "int32", boolean: "bool", untyped: "string" };

/** The names of Go's types are not known here: the kind stands for the struct, and what is most likely for the type. */
function mismatch(type: TypedSchema, value: JsonValue, path: string, reading: Reading): JsonValue {
  const given = Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
  const wanted = type.scalar === undefined ? (type.list === undefined ? "object" : "list") : goTypes[type.scalar];
  const where = `Go struct field ${reading.root}.${path.replaceAll(/\[\d+\]/g, "")} of type ${wanted}`;
  reading.problem ??= `json: cannot unmarshal ${given} into ${where}`;
  return value;
}
