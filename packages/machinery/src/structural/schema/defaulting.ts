import { isJsonObject, type JsonObject, type JsonValue } from "../../patches/json-value.ts";
import { nodeOfField, type SchemaNode } from "./schema-node.ts";

/** Sets what is missing, in place: fields of objects that are there, and each null that the schema forbids. */
export function applyDefaults(value: JsonValue, node: SchemaNode | undefined): void {
  if (node === undefined) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (isForbiddenNull(item, node.items)) value[index] = defaultOf(node.items);
      applyDefaults(value[index] ?? null, node.items);
    }
  } else if (isJsonObject(value)) {
    defaultProperties(value, node);
    defaultFields(value, node);
  }
}

function defaultProperties(object: JsonObject, node: SchemaNode): void {
  for (const [name, property] of node.properties) {
    if (property.default === undefined) continue;
    if (!Object.hasOwn(object, name) || isForbiddenNull(object[name] ?? null, property))
      setField(object, name, defaultOf(property));
  }
}

function defaultFields(object: JsonObject, node: SchemaNode): void {
  for (const name of Object.keys(object)) {
    const fieldNode = nodeOfField(node, name);
    if (!node.properties.has(name) && isForbiddenNull(object[name] ?? null, fieldNode))
      setField(object, name, defaultOf(fieldNode));
    applyDefaults(object[name] ?? null, fieldNode);
  }
}

function isForbiddenNull(value: JsonValue, node: SchemaNode | undefined): boolean {
  return value === null && node !== undefined && !node.nullable;
}

function defaultOf(node: SchemaNode | undefined): JsonValue {
  return structuredClone(node?.default ?? null);
}

/** A schema can name a property `__proto__`; assigning that would change what the object is. */
function setField(object: JsonObject, name: string, value: JsonValue): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}
