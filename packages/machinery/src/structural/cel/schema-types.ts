import { type SchemaNode, withObjectMeta } from "../schema/schema-node.ts";
import { type CelType, dynType, listOf, mapOf, simple } from "./cel-type.ts";
import { escapeName } from "./escaped-names.ts";

/** The type of `self` at a place in a schema; undefined where expressions cannot go. */
export function schemaType(node: SchemaNode, isResourceRoot = false, name = "selfType"): CelType | undefined {
  if (node.intOrString) return dynType;
  switch (node.type) {
    case "array":
      return mapped(node.items, `${name}.@idx`, listOf);
    case "object":
      if (typeof node.additionalProperties === "object")
        return mapped(node.additionalProperties, `${name}.@elem`, (value) => mapOf(simple("string"), value));
      return objectType(isResourceRoot ? withObjectMeta(node) : node, name);
    case "string":
      return simple(formatKinds[node.values.format] ?? "string");
    case "boolean":
      return simple("bool");
    case "number":
      return simple("double");
    case "integer":
      return simple("int");
    default:
      return undefined;
  }
}

const formatKinds: Readonly<Record<string, "bytes" | "duration" | "timestamp">> = {
  byte: "bytes",
  duration: "duration",
  date: "timestamp",
  "date-time": "timestamp",
};

function mapped(node: SchemaNode | undefined, name: string, wrap: (inner: CelType) => CelType): CelType | undefined {
  const inner = node === undefined ? undefined : schemaType(node, node.embeddedResource, name);
  return inner === undefined ? undefined : wrap(inner);
}

function objectType(node: SchemaNode, name: string): CelType {
  const fields = new Map<string, CelType>();
  for (const [property, child] of node.properties) {
    const escaped = escapeName(property);
    const type = schemaType(child, child.embeddedResource, `${name}.${escaped ?? property}`);
    if (escaped !== undefined && type !== undefined) fields.set(escaped, type);
  }
  return { kind: "object", name, fields };
}
