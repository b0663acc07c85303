import type { JSONSchemaProps } from "../../api/index.ts";
import { type FieldError, forbidden, invalid } from "../errors/field-error.ts";
import { child, indexed, keyed } from "../errors/field-path.ts";
import { LazyPattern } from "../values/pattern.ts";

/** What `anyOf`, `allOf`, `oneOf` and `not` must not say: they can only narrow what the schema around them allows. */
const forbiddenHere: readonly (readonly [keyof JSONSchemaProps, string])[] = [
  ["type", "must be empty to be structural"],
  ["additionalProperties", "must be undefined to be structural"],
  ["default", "must be undefined to be structural"],
  ["title", "must be empty to be structural"],
  ["description", "must be empty to be structural"],
  ["nullable", "must be false to be structural"],
  ["x-kubernetes-preserve-unknown-fields", "must be false to be structural"],
  ["x-kubernetes-embedded-resource", "must be false to be structural"],
  ["x-kubernetes-int-or-string", "must be false to be structural"],
  ["x-kubernetes-list-map-keys", "must be empty to be structural"],
  ["x-kubernetes-list-type", "must be undefined to be structural"],
  ["x-kubernetes-map-type", "must be undefined to be structural"],
  ["x-kubernetes-validations", "must be empty to be structural"],
];

export function nestedErrors(schema: JSONSchemaProps, path: string): FieldError[] {
  const { items, properties = {}, pattern } = schema;
  const problem = pattern ? new LazyPattern(pattern).problem : undefined;
  const metadata = keyed(child(path, "properties"), "metadata");
  return [
    ...partsOf(schema).flatMap(([part, name]) => nestedErrors(part, `${path}.${name}`)),
    ...(items === undefined || Array.isArray(items) ? [] : nestedErrors(items, child(path, "items"))),
    ...Object.entries(properties).flatMap(([name, property]) =>
      nestedErrors(property, keyed(child(path, "properties"), name)),
    ),
    ...(problem === undefined
      ? []
      : [invalid(child(path, "pattern"), pattern, `must be a valid regular expression, but isn't: ${problem}`)]),
    ...forbiddenHere
      .filter(([name]) => isSet(schema[name]))
      .map(([name, detail]) => forbidden(child(path, name), detail)),
    ...("metadata" in properties ? [forbidden(metadata, "must not be specified in a nested context")] : []),
  ];
}

function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== null && value !== false && value !== "";
}

function partsOf({ anyOf = [], allOf = [], oneOf = [], not }: JSONSchemaProps): [JSONSchemaProps, string][] {
  return [
    ...anyOf.map((part, index): [JSONSchemaProps, string] => [part, indexed("anyOf", index)]),
    ...allOf.map((part, index): [JSONSchemaProps, string] => [part, indexed("allOf", index)]),
    ...oneOf.map((part, index): [JSONSchemaProps, string] => [part, indexed("oneOf", index)]),
    ...(not === undefined ? [] : [[not, "not"] as [JSONSchemaProps, string]]),
  ];
}
