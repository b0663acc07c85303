import type { CustomResourceDefinitionSpec, JSONSchemaProps } from "../../api/index.ts";
import { type FieldError, forbidden, invalid } from "../errors/field-error.ts";
import { child } from "../errors/field-path.ts";
import { parseSchema } from "../schema/schema-node.ts";
import { defaultErrors } from "./default-errors.ts";
import type { PlacedPart } from "./definition-view.ts";
import { schemaErrors } from "./schema-errors.ts";
import { structuralErrors } from "./structural-errors.ts";

/** Everything that can be wrong with the schema of a version. */
export function schemaOfVersionErrors(
  spec: CustomResourceDefinitionSpec,
  { part, path, versionName }: PlacedPart<"schema">,
): FieldError[] {
  const schema = part.openAPIV3Schema;
  if (schema === undefined) return [];
  const at = child(path, "openAPIV3Schema");
  const isShared = path === "spec.validation";
  const hasStatus = spec.versions.some(
    ({ name, subresources }) => (isShared || name === versionName) && subresources?.status !== undefined,
  );
  const structural = structuralErrors(schema, at);
  const defaults = structural.length > 0 ? [] : defaultErrors(parseSchema(schema), at);
  return [
    ...(hasStatus ? rootErrors(schema, at) : []),
    ...(schema.nullable === true ? [forbidden(child(at, "nullable"), "nullable cannot be true at the root")] : []),
    ...structural,
    ...defaults,
    ...schemaErrors(schema, at, structural.length === 0 && defaults.length === 0),
  ];
}

/** The fields that the root may have beside a status subresource, as the server names them. */
const rootFields: Readonly<Record<string, string>> = {
  description: "Description",
  type: "Type",
  format: "Format",
  title: "Title",
  maximum: "Maximum",
  exclusiveMaximum: "ExclusiveMaximum",
  minimum: "Minimum",
  exclusiveMinimum: "ExclusiveMinimum",
  maxLength: "MaxLength",
  minLength: "MinLength",
  pattern: "Pattern",
  maxItems: "MaxItems",
  minItems: "MinItems",
  uniqueItems: "UniqueItems",
  multipleOf: "MultipleOf",
  required: "Required",
  items: "Items",
  properties: "Properties",
  externalDocs: "ExternalDocs",
  example: "Example",
  "x-kubernetes-preserve-unknown-fields": "XPreserveUnknownFields",
  "x-kubernetes-validations": "XValidations",
};

function rootErrors(schema: JSONSchemaProps, path: string): FieldError[] {
  const { type = "" } = schema;
  const typeDetail =
    'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
  if (type !== "" && type !== "object") return [invalid(child(path, "type"), type, typeDetail)];
  const isPlain = Object.keys(schema).every((name) => name in rootFields);
  const allowed = `[${Object.values(rootFields).join(" ")}]`;
  const detail = `only ${allowed} fields are allowed at the root of the schema if the status subresource is enabled`;
  return isPlain ? [] : [invalid(path, schema, detail)];
}
