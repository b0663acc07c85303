import type { Schema } from "./openapi-types.ts";

const dropped: ReadonlySet<string> = new Set(["default", "nullable", "oneOf", "anyOf", "allOf", "not"]);

/** A schema as version 2 can say it: without choices and defaults, and by its name alone where it is another one. */
export function swaggerSchema(schema: Schema): Schema {
  const { allOf, oneOf } = schema as { allOf?: readonly Schema[]; oneOf?: readonly Schema[] };
  const reference = schema["$ref"] ?? (allOf?.length === 1 ? allOf[0]?.["$ref"] : undefined);
  if (typeof reference === "string") return referenceSchema(schema, reference);
  const kept = Object.entries(schema).filter(([key]) => !dropped.has(key));
  const changed: Record<string, unknown> = Object.fromEntries(
    kept.map(([key, value]) => [key, swaggerPart(key, value)]),
  );
  // Of what may be a number or a text, the text is said.
  if (oneOf !== undefined && schema["type"] === undefined) changed["type"] = "string";
  return isVague(schema) ? withoutType(changed) : changed;
}

function referenceSchema(schema: Schema, reference: string): Schema {
  const { allOf: _, $ref: __, ...rest } = schema;
  const beside = Object.entries(rest).filter(([key]) => !dropped.has(key));
  return { ...Object.fromEntries(beside), $ref: reference.replace("#/components/schemas/", "#/definitions/") };
}

function swaggerPart(key: string, value: unknown): unknown {
  if (key === "properties") {
    const fields = Object.entries(value as Readonly<Record<string, Schema>>);
    return Object.fromEntries(fields.map(([name, field]) => [name, swaggerSchema(field)]));
  }
  const isSchema = (key === "items" || key === "additionalProperties") && typeof value === "object" && value !== null;
  return isSchema ? swaggerSchema(value as Schema) : value;
}

/** Version 2 would refuse what such a schema takes. */
function isVague(schema: Schema): boolean {
  return schema["nullable"] === true || schema["x-kubernetes-preserve-unknown-fields"] === true;
}

function withoutType(schema: Readonly<Record<string, unknown>>): Schema {
  const { type: _, items: __, properties: ___, required: ____, additionalProperties: _____, ...rest } = schema;
  return rest;
}
