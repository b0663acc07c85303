import type { JSONSchemaProps, ValidationRule } from "../../api/index.ts";
import type { JsonValue } from "../../patches/json-value.ts";
import { enforcedFormat } from "../values/formats.ts";
import { LazyPattern } from "../values/pattern.ts";

/**
 * A part of a schema, made ready for walking. It is read only, shared by everything that looks at objects of its version, and made
 * when the first of them comes.
 */
export interface SchemaNode {
  /** Empty where anything may stand. */
  readonly type: string;
  /** What the value may be; two for `x-kubernetes-int-or-string`. */
  readonly types: readonly string[];
  readonly nullable: boolean;
  /** Undefined where there is none: a default can be `false` or `null`, and that of `null` is none. */
  readonly default: JsonValue | undefined;
  readonly items: SchemaNode | undefined;
  readonly properties: ReadonlyMap<string, SchemaNode>;
  /** False: no further properties, true: any, undefined: nothing was said. */
  readonly additionalProperties: SchemaNode | boolean | undefined;
  readonly preserveUnknownFields: boolean;
  readonly embeddedResource: boolean;
  readonly intOrString: boolean;
  readonly listType: string | undefined;
  readonly listMapKeys: readonly string[];
  readonly mapType: string | undefined;
  readonly rules: readonly ValidationRule[];
  readonly values: ValueRules;
}

/** What is asked of a value beyond its type. */
export interface ValueRules {
  /** Only those that the API server enforces for the type. */
  readonly format: string;
  readonly maximum: number | undefined;
  readonly exclusiveMaximum: boolean;
  readonly minimum: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly multipleOf: number | undefined;
  readonly maxLength: number | undefined;
  readonly minLength: number | undefined;
  readonly pattern: LazyPattern | undefined;
  readonly maxItems: number | undefined;
  readonly minItems: number | undefined;
  readonly uniqueItems: boolean;
  readonly maxProperties: number | undefined;
  readonly minProperties: number | undefined;
  readonly required: readonly string[];
  readonly enum: readonly JsonValue[];
  readonly allOf: readonly SchemaNode[];
  readonly anyOf: readonly SchemaNode[];
  readonly oneOf: readonly SchemaNode[];
  readonly not: SchemaNode | undefined;
}

const nothing: readonly never[] = [];
const noProperties: ReadonlyMap<string, SchemaNode> = new Map();

export function parseSchema(schema: JSONSchemaProps): SchemaNode {
  const { type = "", items, additionalProperties } = schema;
  const intOrString = schema["x-kubernetes-int-or-string"] === true;
  return {
    type,
    types: intOrString ? ["integer", "string"] : type === "" ? nothing : [type],
    nullable: schema.nullable === true,
    default: (schema.default ?? undefined) as JsonValue | undefined,
    items: items === undefined || Array.isArray(items) ? undefined : parseSchema(items),
    properties: parseProperties(schema.properties),
    additionalProperties:
      typeof additionalProperties === "object" ? parseSchema(additionalProperties) : additionalProperties,
    preserveUnknownFields: schema["x-kubernetes-preserve-unknown-fields"] === true,
    embeddedResource: schema["x-kubernetes-embedded-resource"] === true,
    intOrString,
    listType: schema["x-kubernetes-list-type"],
    listMapKeys: schema["x-kubernetes-list-map-keys"] ?? nothing,
    mapType: schema["x-kubernetes-map-type"],
    rules: schema["x-kubernetes-validations"] ?? nothing,
    values: parseValueRules(schema, intOrString),
  };
}

function parseProperties(properties: JSONSchemaProps["properties"]): ReadonlyMap<string, SchemaNode> {
  if (properties === undefined) return noProperties;
  const parsed = new Map<string, SchemaNode>();
  for (const [name, schema] of Object.entries(properties)) parsed.set(name, parseSchema(schema));
  return parsed;
}

function parseValueRules(schema: JSONSchemaProps, intOrString: boolean): ValueRules {
  const { format, pattern, not } = schema;
  return {
    format: format === undefined || format === "" ? "" : enforcedFormat(format, intOrString ? "" : (schema.type ?? "")),
    maximum: schema.maximum,
    exclusiveMaximum: schema.exclusiveMaximum === true,
    minimum: schema.minimum,
    exclusiveMinimum: schema.exclusiveMinimum === true,
    multipleOf: schema.multipleOf,
    maxLength: schema.maxLength,
    minLength: schema.minLength,
    pattern: pattern === undefined || pattern === "" ? undefined : new LazyPattern(pattern),
    maxItems: schema.maxItems,
    minItems: schema.minItems,
    uniqueItems: schema.uniqueItems === true,
    maxProperties: schema.maxProperties,
    minProperties: schema.minProperties,
    required: schema.required ?? nothing,
    enum: (schema.enum ?? nothing) as readonly JsonValue[],
    allOf: parseAll(schema.allOf),
    anyOf: parseAll(schema.anyOf),
    oneOf: parseAll(schema.oneOf),
    not: not === undefined ? undefined : parseSchema(not),
  };
}

function parseAll(schemas: readonly JSONSchemaProps[] | undefined): readonly SchemaNode[] {
  return schemas === undefined ? nothing : schemas.map(parseSchema);
}

/** The node that a field of an object is described by. */
export function nodeOfField(node: SchemaNode | undefined, name: string): SchemaNode | undefined {
  if (node === undefined) return undefined;
  const property = node.properties.get(name);
  if (property !== undefined) return property;
  return typeof node.additionalProperties === "object" ? node.additionalProperties : undefined;
}

const stringNode = parseSchema({ type: "string" });

/** The root of a resource has these fields without saying so. */
export function withObjectMeta(node: SchemaNode): SchemaNode {
  const properties = new Map(node.properties);
  properties.set("kind", stringNode);
  properties.set("apiVersion", stringNode);
  properties.set(
    "metadata",
    parseSchema({ type: "object", properties: { name: { type: "string" }, generateName: { type: "string" } } }),
  );
  return { ...node, properties };
}
