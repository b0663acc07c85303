import type { JSONSchemaProps } from "../../api/index.ts";
import { compareText } from "../../go-text/index.ts";
import { type FieldError, fieldErrorText, forbidden, invalid, required } from "../errors/field-error.ts";
import { child, indexed, keyed } from "../errors/field-path.ts";
import { LazyPattern } from "../values/pattern.ts";
import { completenessErrors } from "./completeness.ts";
import { nestedErrors } from "./nested-errors.ts";

type Level = "root" | "item" | "field";

const missingType: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

/** Why a schema is not structural: what is said of values must be said by `type`, `properties` and `items` first. */
export function structuralErrors(schema: JSONSchemaProps, path: string): FieldError[] {
  const errors = [...invariantErrors(schema, "root", path), ...completenessErrors(schema, path)];
  return errors.sort((a, b) => compareText(fieldErrorText(a), fieldErrorText(b)));
}

function invariantErrors(schema: JSONSchemaProps, level: Level, path: string): FieldError[] {
  return [...errorsBelow(schema, path), ...ownErrors(schema, level, path), ...typeErrors(schema, level, path)];
}

function errorsBelow(
  { type, items, properties = {}, additionalProperties }: JSONSchemaProps,
  path: string,
): FieldError[] {
  const single = Array.isArray(items) ? undefined : items;
  return [
    ...(type === "array" && single === undefined ? [required(child(path, "items"), "must be specified")] : []),
    ...(single === undefined ? [] : invariantErrors(single, "item", child(path, "items"))),
    ...Object.entries(properties).flatMap(([name, property]) =>
      invariantErrors(property, "field", keyed(child(path, "properties"), name)),
    ),
    ...(typeof additionalProperties === "object"
      ? invariantErrors(additionalProperties, "field", child(path, "additionalProperties"))
      : []),
  ];
}

function ownErrors(schema: JSONSchemaProps, level: Level, path: string): FieldError[] {
  const isIntOrString = schema["x-kubernetes-int-or-string"] === true;
  const isEmbedded = schema["x-kubernetes-embedded-resource"] === true;
  const preserves = schema["x-kubernetes-preserve-unknown-fields"] === true;
  const { pattern, additionalProperties } = schema;
  const additionalPath = child(path, "additionalProperties");
  const falseIf = "must be false if x-kubernetes-int-or-string is true";
  const problem = pattern ? new LazyPattern(pattern).problem : undefined;
  return [
    ...(additionalProperties !== undefined && level === "root"
      ? [forbidden(additionalPath, "must not be used at the root")]
      : []),
    ...(isIntOrString && preserves
      ? [invalid(child(path, "x-kubernetes-preserve-unknown-fields"), true, falseIf)]
      : []),
    ...(isIntOrString && isEmbedded ? [invalid(child(path, "x-kubernetes-embedded-resource"), true, falseIf)] : []),
    ...choiceErrors(schema, path),
    ...(problem === undefined
      ? []
      : [invalid(child(path, "pattern"), pattern, `must be a valid regular expression, but isn't: ${problem}`)]),
    ...(isEmbedded && additionalProperties !== undefined
      ? [forbidden(additionalPath, "must not be used if x-kubernetes-embedded-resource is set")]
      : []),
  ];
}

function typeErrors(schema: JSONSchemaProps, level: Level, path: string): FieldError[] {
  const { type = "", properties = {} } = schema;
  const isEmbedded = schema["x-kubernetes-embedded-resource"] === true;
  const preserves = schema["x-kubernetes-preserve-unknown-fields"] === true;
  const at = child(path, "type");
  const checksMeta = level === "root" || isEmbedded;
  const noProperties =
    "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
  return [
    ...missingTypeErrors(schema, level, at),
    ...(level === "root" && type !== "" && type !== "object" ? [invalid(at, type, "must be object at the root")] : []),
    ...(checksMeta ? ["kind", "apiVersion"].flatMap((name) => typeMetaErrors(properties[name], path, name)) : []),
    ...metadataErrors(properties["metadata"], checksMeta, level, keyed(child(path, "properties"), "metadata")),
    ...(isEmbedded && !preserves && Object.keys(properties).length === 0
      ? [required(child(path, "properties"), noProperties)]
      : []),
  ];
}

function missingTypeErrors(schema: JSONSchemaProps, level: Level, at: string): FieldError[] {
  const { type = "" } = schema;
  if (schema["x-kubernetes-embedded-resource"] === true && type !== "object") {
    const detail = "must be object if x-kubernetes-embedded-resource is true";
    return [type === "" ? required(at, detail) : invalid(at, type, detail)];
  }
  const needsNone =
    schema["x-kubernetes-int-or-string"] === true || schema["x-kubernetes-preserve-unknown-fields"] === true;
  return type === "" && !needsNone ? [required(at, missingType[level])] : [];
}

function typeMetaErrors(schema: JSONSchemaProps | undefined, path: string, name: string): FieldError[] {
  if (schema === undefined || schema.type === "string") return [];
  return [invalid(child(keyed(child(path, "properties"), name), "type"), schema.type ?? "", "must be string")];
}

function metadataErrors(
  schema: JSONSchemaProps | undefined,
  checksMeta: boolean,
  level: Level,
  path: string,
): FieldError[] {
  if (schema === undefined) return [];
  const errors =
    checksMeta && schema.type !== "object" ? [invalid(child(path, "type"), schema.type ?? "", "must be object")] : [];
  if (level !== "root") return errors;
  const { type: _type, default: _default, properties = {}, ...rest } = schema;
  const names = Object.keys(properties);
  const isPlain = names.every((name) => name === "name" || name === "generateName");
  const detail = "must not specify anything other than name and generateName, but metadata is implicitly specified";
  return isPlain && Object.keys(rest).length === 0 ? errors : [...errors, forbidden(path, detail)];
}

/** The one pattern of `anyOf` that may speak of types. */
function isIntOrStringChoice(anyOf: readonly JSONSchemaProps[] | undefined): boolean {
  return JSON.stringify(anyOf) === '[{"type":"integer"},{"type":"string"}]';
}

function choiceErrors(schema: JSONSchemaProps, path: string): FieldError[] {
  const { anyOf = [], allOf = [], oneOf = [], not } = schema;
  return [
    ...(isIntOrStringChoice(anyOf)
      ? []
      : anyOf.flatMap((part, index) => nestedErrors(part, indexed(child(path, "anyOf"), index)))),
    ...allOf.flatMap((part, index) => {
      const skipsAnyOf = index === 0 && isIntOrStringChoice(part.anyOf);
      return nestedErrors(skipsAnyOf ? { ...part, anyOf: [] } : part, indexed(child(path, "allOf"), index));
    }),
    ...oneOf.flatMap((part, index) => nestedErrors(part, indexed(child(path, "oneOf"), index))),
    ...(not === undefined ? [] : nestedErrors(not, child(path, "not"))),
  ];
}
