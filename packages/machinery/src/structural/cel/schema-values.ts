import { equalJson, isJsonObject, type JsonObject, type JsonValue } from "../../patches/json-value.ts";
import { goJson, isInt64 } from "../errors/go-text.ts";
import { type SchemaNode, withObjectMeta } from "../schema/schema-node.ts";
import { parseLooseDuration } from "../values/loose-duration.ts";
import { equalInOrder, equalValues } from "./cel-equality.ts";
import { CelError, noSuchOverload } from "./cel-error.ts";
import { CelDuration, CelList, CelMap, CelOpaque, type CelValue } from "./cel-value.ts";
import { escapeName, unescapeName } from "./escaped-names.ts";
import { parseTimestamp } from "./timestamps.ts";

/** A value of an object as its schema types it. Parts are converted when they are asked for. */
export function schemaValue(value: JsonValue, node: SchemaNode): CelValue {
  if (value === null) {
    if (node.nullable) return null;
    throw new CelError("invalid data, got null for schema with nullable=false");
  }
  if (node.intOrString) {
    if (typeof value === "string") return value;
    if (typeof value === "number" && isInt64(value)) return BigInt(value);
    throw new CelError("invalid data, expected XIntOrString value to be either a string or integer");
  }
  return typedValue(value, node);
}

function typedValue(value: Exclude<JsonValue, null>, node: SchemaNode): CelValue {
  switch (node.type) {
    case "object":
      if (!isJsonObject(value)) throw wrongData("a map", "type=object");
      return new SchemaMap(value, node.embeddedResource ? withObjectMeta(node) : node);
    case "array":
      if (!Array.isArray(value)) throw wrongData("an array", "type=array");
      if (node.items === undefined) throw new CelError("invalid array type, expected Items with a non-empty Schema");
      return new SchemaList(value, node, node.items);
    case "string":
      if (typeof value !== "string") throw new CelError(`invalid data, expected string, got ${goType(value)}`);
      return textValue(value, node.values.format);
    case "number":
      if (typeof value !== "number") throw new CelError(`invalid data, expected float, got ${goType(value)}`);
      return value;
    case "integer":
      if (typeof value !== "number" || !isInt64(value))
        throw new CelError(`invalid data, expected int, got ${goType(value)}`);
      return BigInt(value);
    case "boolean":
      if (typeof value !== "boolean") throw new CelError(`invalid data, expected bool, got ${goType(value)}`);
      return value;
    default:
      return new PreservedValue(value);
  }
}

function wrongData(wanted: string, schema: string): CelError {
  return new CelError(`invalid data, expected ${wanted} for the provided schema with ${schema}`);
}

function goType(value: JsonValue): string {
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return isInt64(value) ? "int64" : "float64";
  if (Array.isArray(value)) return "[]interface {}";
  return typeof value === "string" ? "string" : "map[string]interface {}";
}

function textValue(text: string, format: string): CelValue {
  if (format === "duration") {
    const nanos = parseLooseDuration(text);
    if (nanos === undefined) throw new CelError(`Invalid duration ${text}: unable to parse ${text} as duration`);
    return new CelDuration(nanos);
  }
  if (format === "date" || format === "date-time") {
    const time = parseTimestamp(format === "date" ? `${text}T00:00:00Z` : text);
    if (time === undefined) throw new CelError(`Invalid ${format} formatted string ${text}`);
    return time;
  }
  return format === "byte" ? bytesOf(text) : text;
}

function bytesOf(text: string): Uint8Array {
  const standard = text.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(standard), (character) => character.charCodeAt(0));
}

/** A value without a type in the schema: it can be compared, and nothing else. */
class PreservedValue extends CelOpaque {
  readonly typeName = "unknown";
  readonly #value: JsonValue;

  constructor(value: JsonValue) {
    super();
    this.#value = value;
  }

  equals(other: CelValue): boolean {
    return other instanceof PreservedValue && equalJson(this.#value, other.#value);
  }
}

class SchemaList extends CelList {
  readonly raw: readonly JsonValue[];
  readonly #node: SchemaNode;
  readonly #items: SchemaNode;

  constructor(raw: readonly JsonValue[], node: SchemaNode, items: SchemaNode) {
    super();
    this.raw = raw;
    this.#node = node;
    this.#items = items;
  }

  get size(): number {
    return this.raw.length;
  }

  get(index: number): CelValue {
    return schemaValue(this.raw[index] ?? null, this.#items);
  }

  equalTo(other: CelList): boolean {
    const { listType } = this.#node;
    if (listType === "set") return this.size === other.size && [...other].every((item) => this.#has(item));
    if (!(other instanceof SchemaList) || listType !== "map") return equalInOrder(this, other);
    if (this.size !== other.size) return false;
    const positions = new Map(this.raw.map((item, index) => [this.#keyOf(item), index]));
    return other.raw.every((item, index) => {
      const position = positions.get(this.#keyOf(item));
      return position !== undefined && equalValues(this.get(position), other.get(index));
    });
  }

  #has(item: CelValue): boolean {
    for (const own of this) if (equalValues(own, item)) return true;
    return false;
  }

  /** A set takes what it does not have, a map replaces what it has. */
  override join(other: CelList): CelList {
    const { listType } = this.#node;
    if (!(other instanceof SchemaList) || (listType !== "set" && listType !== "map")) return super.join(other);
    const joined = [...this.raw];
    const positions = new Map(joined.map((item, index) => [this.#keyOf(item), index]));
    for (const item of other.raw) {
      const position = positions.get(this.#keyOf(item));
      if (position === undefined) joined.push(item);
      else if (listType === "map") joined[position] = item;
    }
    return new SchemaList(joined, this.#node, this.#items);
  }

  #keyOf(item: JsonValue): string {
    if (this.#node.listType === "set" || !isJsonObject(item)) return goJson(item);
    return goJson(this.#node.listMapKeys.map((key) => item[key] ?? null));
  }
}

/** An object with properties, whose names are escaped, or a map, whose keys are not. */
class SchemaMap extends CelMap {
  readonly #raw: JsonObject;
  readonly #node: SchemaNode;
  readonly #isObject: boolean;

  constructor(raw: JsonObject, node: SchemaNode) {
    super();
    this.#raw = raw;
    this.#node = node;
    this.#isObject = node.properties.size > 0;
  }

  get size(): number {
    return Object.keys(this.#raw).length;
  }

  find(key: CelValue): CelValue | undefined {
    if (typeof key !== "string") throw noSuchOverload();
    const name = this.#isObject ? unescapeName(key) : key;
    if (name === undefined || !Object.hasOwn(this.#raw, name)) return undefined;
    const value = this.#raw[name] ?? null;
    const node = this.#nodeOf(name);
    if (node === undefined || (this.#isObject && value === null)) return undefined;
    return schemaValue(value, node);
  }

  keys(): readonly CelValue[] {
    const names = Object.keys(this.#raw).filter((name) => this.#nodeOf(name) !== undefined);
    return this.#isObject ? names.map((name) => escapeName(name) ?? name) : names;
  }

  equalTo(other: CelMap): boolean {
    if (this.size !== other.size) return false;
    return Object.entries(this.#raw).every(([name, value]) => {
      if (this.#nodeOf(name) === undefined) {
        if (!(other instanceof SchemaMap)) throw noSuchOverload();
        return !Object.hasOwn(other.#raw, name) || equalJson(value, other.#raw[name]);
      }
      const left = this.find(name);
      const right = other.find(name);
      if (left === undefined || right === undefined) return left === right;
      return equalValues(left, right);
    });
  }

  #nodeOf(name: string): SchemaNode | undefined {
    if (this.#isObject) return this.#node.properties.get(name);
    const { additionalProperties } = this.#node;
    return typeof additionalProperties === "object" ? additionalProperties : undefined;
  }
}
