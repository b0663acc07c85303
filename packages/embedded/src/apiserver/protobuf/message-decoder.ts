import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type GoField, goStruct, resolvedType } from "./go-type.ts";
import { ProtobufError } from "./protobuf-error.ts";
import { specialTypes } from "./special-types.ts";
import { type WireField, wireFields } from "./wire-reader.ts";

/** As deep as the real server goes. */
const mostLevels = 10_000;

/** What Go would write of the message as JSON. Throws when the bytes are none of that type. */
export function decodeMessage(type: string, message: Buffer, level = 0): JsonObject {
  const fields = goStruct(type);
  if (fields === undefined || level > mostLevels) throw new ProtobufError(`no message ${type}`);
  const object = new Map<string, JsonValue>();
  for (const field of wireFields(message)) {
    const known = fields.get(field.number);
    if (known !== undefined) addField(object, known, field, level);
  }
  return Object.fromEntries(object);
}

function addField(object: Map<string, JsonValue>, field: GoField, wire: WireField, level: number): void {
  const type = field.type.startsWith("*") ? field.type.slice(1) : resolvedType(field.type);
  if (field.isInline) {
    for (const [name, value] of Object.entries(decodeMessage(type, wire.bytes, level + 1))) object.set(name, value);
    return;
  }
  const { name } = field;
  if (type.startsWith("map[")) {
    const entries = (object.get(name) ?? {}) as JsonObject;
    object.set(name, { ...entries, ...mapEntry(type, wire.bytes, level) });
  } else if (type.startsWith("[]") && type !== "[]byte") {
    const items = (object.get(name) ?? []) as JsonValue[];
    object.set(name, [...items, valueOf(type.slice(2), wire, level) ?? null]);
  } else {
    const value = valueOf(type, wire, level);
    const isLeftOut = field.omitsEmpty && !field.type.startsWith("*") && isZero(value);
    if (value !== undefined && !isLeftOut) object.set(name, value);
  }
}

/** `map[core/v1.ResourceName]resource.Quantity` */
function mapEntry(type: string, message: Buffer, level: number): JsonObject {
  const valueType = type.slice(type.indexOf("]") + 1);
  let key = "";
  let value: JsonValue | undefined;
  for (const field of wireFields(message)) {
    if (field.number === 1) key = field.bytes.toString("utf8");
    else if (field.number === 2) value = valueOf(valueType, field, level);
  }
  return { [key]: value ?? (resolvedType(valueType) === "string" ? "" : null) };
}

function valueOf(type: string, { bytes, value }: WireField, level: number): JsonValue | undefined {
  const special = Object.hasOwn(specialTypes, type) ? specialTypes[type] : undefined;
  if (special !== undefined) return special(bytes);
  const union = unionOf(type, bytes, level);
  if (union !== undefined) return union;
  switch (resolvedType(type)) {
    case "string":
      return bytes.toString("utf8");
    case "[]byte":
      return bytes.toString("base64");
    case "bool":
      return value !== 0n;
    case "int":
    case "int32":
    case "int64":
    case "uint32":
      return Number(value);
    case "float64":
      return bytes.length === 8 ? bytes.readDoubleLE(0) : 0;
    default:
      return decodeMessage(resolvedType(type), bytes, level + 1);
  }
}

/** Schemas that may be something else in their place: in JSON, whichever of the two it is. */
function unionOf(type: string, message: Buffer, level: number): JsonValue | undefined {
  const prefix = "apiextensions/v1.JSONSchemaPropsOr";
  if (!type.startsWith(prefix)) return undefined;
  const schemaNumber = type === `${prefix}Bool` ? 2 : 1;
  const fields = [...wireFields(message)];
  const schema = fields.find(({ number }) => number === schemaNumber);
  const nested = (bytes: Buffer) => decodeMessage("apiextensions/v1.JSONSchemaProps", bytes, level + 1);
  if (schema !== undefined) return nested(schema.bytes);
  const others = fields.filter(({ number }) => number !== schemaNumber);
  if (type === `${prefix}Bool`) return others.some(({ value }) => value !== 0n);
  return others.map(({ bytes }) => (type === `${prefix}Array` ? nested(bytes) : bytes.toString("utf8")));
}

/** Structs are never empty for Go's JSON. */
function isZero(value: JsonValue | undefined): boolean {
  return value === undefined || value === "" || value === 0 || value === false;
}
