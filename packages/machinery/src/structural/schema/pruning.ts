import { compareText } from "../../go-text/index.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../patches/json-value.ts";
import { child, indexed } from "../errors/field-path.ts";
import { nodeOfField, type SchemaNode } from "./schema-node.ts";

const metaFields: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/** Takes out of the object what its schema does not know, in place, and says what that was, in order. */
export function pruneObject(object: JsonObject, root: SchemaNode): string[] {
  const unknown: string[] = [];
  prune(object, { ...root, embeddedResource: true }, "", unknown);
  return unknown.sort(compareText);
}

/** A value in the middle of an object, such as a default. */
export function pruneValue(value: JsonValue, node: SchemaNode): string[] {
  const unknown: string[] = [];
  prune(value, node, "", unknown);
  return unknown;
}

function prune(value: JsonValue, node: SchemaNode | undefined, path: string, unknown: string[]): void {
  if (node?.preserveUnknownFields) return keepUnknown(value, node, path, unknown);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) prune(item, node?.items, indexed(path, index), unknown);
  } else if (isJsonObject(value)) {
    for (const name of Object.keys(value)) pruneField(value, name, { node, path, unknown });
  }
}

interface Place {
  readonly node: SchemaNode | undefined;
  readonly path: string;
  readonly unknown: string[];
}

function pruneField(object: JsonObject, name: string, { node, path, unknown }: Place): void {
  if (node?.embeddedResource && metaFields.has(name)) return;
  const known = node !== undefined && (node.properties.has(name) || node.additionalProperties !== undefined);
  if (known) return prune(object[name] ?? null, nodeOfField(node, name), child(path, name), unknown);
  if (node === undefined || !metaFields.has(name) || path !== "") unknown.push(child(path, name));
  delete object[name];
}

/** Unknown fields stay, but where the schema says more about a field, pruning begins anew in it. */
function keepUnknown(value: JsonValue, node: SchemaNode | undefined, path: string, unknown: string[]): void {
  if (node === undefined) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) keepUnknown(item, node.items, indexed(path, index), unknown);
  } else if (isJsonObject(value)) {
    for (const [name, field] of Object.entries(value)) {
      if (node.embeddedResource && metaFields.has(name)) continue;
      if (node.properties.has(name) || node.additionalProperties !== undefined)
        prune(field, nodeOfField(node, name), child(path, name), unknown);
    }
  }
}

/** Takes out each null that the schema forbids and that no default replaces. */
export function pruneNulls(value: JsonValue, node: SchemaNode | undefined): void {
  if (Array.isArray(value)) {
    for (const item of value) pruneNulls(item, node?.items);
  } else if (isJsonObject(value)) {
    for (const [name, field] of Object.entries(value)) {
      const fieldNode = nodeOfField(node, name);
      if (field === null && fieldNode !== undefined && !fieldNode.nullable && fieldNode.default === undefined) {
        delete value[name];
      } else {
        pruneNulls(field, fieldNode);
      }
    }
  }
}
