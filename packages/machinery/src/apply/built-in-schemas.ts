import type { JsonObject, JsonValue } from "../patches/json-value.ts";
import { parseCompactSchema } from "./compact-schema.ts";
import { compactTypes, kindTypes } from "./generated/compact-types.ts";
import { setField } from "./json-object.ts";
import { objectMeta } from "./open-api-schema.ts";
import type { StructField, TypedSchema } from "./typed-schema.ts";

const parsed = new Map<string, TypedSchema>();

/** The type of a kind that is built in; undefined for others. Read when it is first asked for. */
export function builtInSchema(apiVersion: string, kind: string): TypedSchema | undefined {
  const key = `${apiVersion}/${kind}`;
  return Object.hasOwn(kindTypes, key) ? typeNamed(kindTypes[key] ?? "") : undefined;
}

/** For the `$ref`s in the schema of a CRD, of which object metadata is the only one. */
export function sharedSchema(name: string): TypedSchema {
  if (name !== objectMeta) throw new TypeError(`A schema refers to ${name}, which is no shared type`);
  return typeNamed("meta.v1.ObjectMeta");
}

function typeNamed(name: string): TypedSchema {
  let type = parsed.get(name);
  if (type === undefined) {
    const text = Object.hasOwn(compactTypes, name) ? compactTypes[name] : undefined;
    if (text === undefined) throw new TypeError(`The table of types lacks ${name}`);
    type = parseCompactSchema(text, typeNamed);
    parsed.set(name, type);
  }
  return type;
}

/** What the original has in memory when nothing was set, as it would write it: some fields are never left out. */
export function emptyBuiltIn(apiVersion: string, kind: string): JsonObject {
  const type = builtInSchema(apiVersion, kind);
  return { ...((type === undefined ? {} : zeroOf(type)) as JsonObject), apiVersion, kind };
}

function zeroOf(type: TypedSchema): JsonValue {
  if (type.map !== undefined && type.scalar === undefined) {
    const zero: JsonObject = {};
    for (const [name, field] of type.map.fields) {
      if (field.zero !== undefined) setField(zero, name, zeroField(field));
    }
    return zero;
  }
  switch (type.scalar) {
    case "string":
      return "";
    case "numeric":
      return 0;
    case "boolean":
      return false;
    case "untyped":
    case undefined:
      return null;
  }
}

function zeroField({ zero, type }: StructField): JsonValue {
  return zero === "null" ? null : zeroOf(type());
}
