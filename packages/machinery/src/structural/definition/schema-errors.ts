import type { JSONSchemaProps } from "../../api/index.ts";
import { type FieldError, forbidden, invalid, notSupported, required } from "../errors/field-error.ts";
import { child, indexed, keyed } from "../errors/field-path.ts";
import { parseSchema, type SchemaNode } from "../schema/schema-node.ts";
import { listTypeErrors } from "./list-type-errors.ts";
import { ruleFormErrors, ruleProgramErrors } from "./rule-errors.ts";

/** What a place in a schema may hold depends on where it is. */
interface Surroundings {
  readonly isRoot: boolean;
  /** Set where there may be no default, with the reason. */
  readonly noDefaults: string | undefined;
  readonly insideMetadata: boolean;
  /** The list above whose items have no identity, so that rules about changes cannot be asked there. */
  readonly uncorrelatable: string | undefined;
  /** Rules are compiled only where all else is right, and not within choices. */
  readonly compilesRules: boolean;
}

interface Found {
  readonly schema: FieldError[];
  readonly rules: FieldError[];
}

const types = ["array", "boolean", "integer", "number", "object", "string"];
const metaFields: ReadonlySet<string> = new Set(["metadata", "kind", "apiVersion"]);

/** What is wrong with the parts of a schema, beside whether it is structural. */
export function schemaErrors(schema: JSONSchemaProps, path: string, compilesRules: boolean): FieldError[] {
  const found = visit(schema, path, {
    isRoot: true,
    noDefaults: undefined,
    insideMetadata: false,
    uncorrelatable: undefined,
    compilesRules,
  });
  return [...found.schema, ...found.rules];
}

function visit(schema: JSONSchemaProps, path: string, around: Surroundings): Found {
  const below = childrenOf(schema, path, around).map(([part, at, place]) => visit(part, at, place));
  const found: Found = {
    schema: [
      ...standardErrors(schema, path, around),
      ...exclusionErrors(schema, path),
      ...below.flatMap((part) => part.schema),
      ...listTypeErrors(schema, path),
      ...ruleFormErrors(schema, path, () => parseSchema(schema)),
    ],
    rules: below.flatMap((part) => part.rules),
  };
  if (found.schema.length > 0 || !around.compilesRules) return found;
  const node = (): SchemaNode => parseSchema(schema);
  found.rules.push(...ruleProgramErrors(schema, path, { ...around, node }));
  return found;
}

type Child = readonly [JSONSchemaProps, string, Surroundings];

function childrenOf(schema: JSONSchemaProps, path: string, around: Surroundings): Child[] {
  const inner = { ...around, isRoot: false };
  const inChoice = { ...inner, compilesRules: false };
  const { additionalProperties, items, not } = schema;
  const hasIdentity = schema["x-kubernetes-list-type"] === "map";
  const inItems = { ...inner, uncorrelatable: around.uncorrelatable ?? (hasIdentity ? undefined : path) };
  const forMap = around.insideMetadata
    ? { ...inner, noDefaults: "inside additionalProperties applying to object metadata" }
    : inner;
  const choices = (name: "allOf" | "anyOf" | "oneOf") =>
    (schema[name] ?? []).map((part, index): Child => [part, indexed(child(path, name), index), inChoice]);
  return [
    ...(typeof additionalProperties === "object"
      ? [[additionalProperties, child(path, "additionalProperties"), forMap] as const]
      : []),
    ...Object.entries(schema.properties ?? {}).map(
      ([name, part]): Child => [part, keyed(child(path, "properties"), name), forProperty(schema, name, around)],
    ),
    ...(not === undefined ? [] : [[not, child(path, "not"), inChoice] as const]),
    ...choices("allOf"),
    ...choices("oneOf"),
    ...choices("anyOf"),
    ...(items === undefined || Array.isArray(items) ? [] : [[items, child(path, "items"), inItems] as const]),
  ];
}

function forProperty(schema: JSONSchemaProps, name: string, around: Surroundings): Surroundings {
  const inner = { ...around, isRoot: false };
  const isMeta = (around.isRoot || schema["x-kubernetes-embedded-resource"] === true) && metaFields.has(name);
  if (!isMeta) return inner;
  const insideMetadata = { ...inner, insideMetadata: true };
  return around.isRoot ? { ...insideMetadata, noDefaults: `in top-level ${name}` } : insideMetadata;
}

const unsupported = ["id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref"] as const;

function standardErrors(schema: JSONSchemaProps, path: string, around: Surroundings): FieldError[] {
  const { type = "", items } = schema;
  const typePath = child(path, "type");
  const embedded = child(path, "x-kubernetes-embedded-resource");
  return [
    ...(type !== "" && !types.includes(type) ? [notSupported(typePath, type, types)] : []),
    ...(schema.default !== undefined && around.noDefaults !== undefined
      ? [forbidden(child(path, "default"), `must not be set ${around.noDefaults}`)]
      : []),
    ...unsupported
      .filter((name) => schema[name] !== undefined && schema[name] !== "")
      .map((name) => forbidden(child(path, name), `${name} is not supported`)),
    ...(type === "null" ? [forbidden(typePath, "type cannot be set to null, use nullable as an alternative")] : []),
    ...(Array.isArray(items) && items.length > 0
      ? [forbidden(child(path, "items"), "items must be a schema object and not an array")]
      : []),
    ...(around.insideMetadata && schema["x-kubernetes-embedded-resource"] === true
      ? [forbidden(embedded, "must not be used inside of resource meta")]
      : []),
  ];
}

function exclusionErrors(schema: JSONSchemaProps, path: string): FieldError[] {
  const { additionalProperties, properties = {}, uniqueItems } = schema;
  const preserves = schema["x-kubernetes-preserve-unknown-fields"];
  const excludes =
    additionalProperties !== undefined && additionalProperties !== true && Object.keys(properties).length > 0;
  const quadratic = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
  return [
    ...(uniqueItems === true ? [forbidden(child(path, "uniqueItems"), quadratic)] : []),
    ...(excludes
      ? [forbidden(child(path, "additionalProperties"), "additionalProperties and properties are mutual exclusive")]
      : []),
    ...(preserves === false
      ? [invalid(child(path, "x-kubernetes-preserve-unknown-fields"), false, "must be true or undefined")]
      : []),
    ...mapTypeErrors(schema, path),
  ];
}

function mapTypeErrors({ type = "", ...schema }: JSONSchemaProps, path: string): FieldError[] {
  const mapType = schema["x-kubernetes-map-type"];
  if (mapType === undefined) return [];
  const detail = "must be object if x-kubernetes-map-type is specified";
  const at = child(path, "type");
  const isKnown = mapType === "atomic" || mapType === "granular";
  return [
    ...(type === "object" ? [] : [type === "" ? required(at, detail) : invalid(at, type, detail)]),
    ...(isKnown ? [] : [notSupported(child(path, "x-kubernetes-map-type"), mapType, ["atomic", "granular"])]),
  ];
}
