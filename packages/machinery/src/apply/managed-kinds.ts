import type { JsonObject } from "../patches/json-value.ts";
import { builtInSchema, emptyBuiltIn, sharedSchema } from "./built-in-schemas.ts";
import { FieldSet } from "./field-set.ts";
import { type ManagedKind, withoutPaths } from "./managed-kind.ts";
import { type OpenApiSchema, objectMeta, typedSchemaOf } from "./open-api-schema.ts";
import { fieldPath } from "./path-element.ts";
import { builtInFilter } from "./reset-fields.ts";
import { deduced, type TypedSchema } from "./typed-schema.ts";

/** A resource of a built-in kind; undefined when the kind is not built in. */
export function builtInKind(apiVersion: string, kind: string, subresource = ""): ManagedKind | undefined {
  if (builtInSchema(apiVersion, kind) === undefined) return undefined;
  return {
    apiVersion,
    kind,
    subresource,
    schemaOf: (version) => builtInSchema(version, kind),
    filterOf: (version) => builtInFilter(version, kind, subresource),
    emptyObject: () => emptyBuiltIn(apiVersion, kind),
  };
}

/** What of a CustomResourceDefinition decides how its objects are applied. */
export interface CustomDefinition {
  readonly group: string;
  readonly kind: string;
  readonly versions: readonly CustomVersion[];
  /** Of the definition as a whole, as old ones have it. */
  readonly preserveUnknownFields?: boolean;
}

export interface CustomVersion {
  readonly name: string;
  readonly schema: OpenApiSchema | undefined;
  readonly hasStatus: boolean;
}

/** The resources of a CRD in one of its versions. Make it once for each version of a definition: its types are kept in it. */
export function customKind(definition: CustomDefinition, version: string, subresource = ""): ManagedKind {
  const { group, kind, versions } = definition;
  const schemas = new Map<string, TypedSchema>();
  const versionOf = (apiVersion: string) => versions.find(({ name }) => `${group}/${name}` === apiVersion);
  return {
    apiVersion: `${group}/${version}`,
    kind,
    subresource,
    schemaOf(apiVersion) {
      const found = versionOf(apiVersion);
      if (found === undefined) return undefined;
      const schema = schemas.get(apiVersion) ?? customSchema(found.schema, definition.preserveUnknownFields);
      schemas.set(apiVersion, schema);
      return schema;
    },
    filterOf: (apiVersion) => (versionOf(apiVersion)?.hasStatus ? customFilters[filterName(subresource)] : undefined),
    emptyObject: (): JsonObject => ({ apiVersion: `${group}/${version}`, kind }),
  };
}

/** The scale of a custom resource is of another kind, which nothing is reset of. */
function filterName(subresource: string): keyof typeof customFilters {
  if (subresource === "") return "main";
  return subresource === "status" ? "status" : "other";
}

const customFilters = {
  main: withoutPaths(FieldSet.of(fieldPath("status"))),
  status: withoutPaths(FieldSet.of(fieldPath("metadata"), fieldPath("spec"))),
  other: undefined,
};

/** A schema need not mention what every object has. */
function customSchema(schema: OpenApiSchema | undefined, preserveUnknownFields = false): TypedSchema {
  if (schema === undefined) return deduced;
  const text = { type: "string" };
  const properties = { ...schema.properties, apiVersion: text, kind: text, metadata: { $ref: objectMeta } };
  return typedSchemaOf({ ...schema, properties }, { resolve: sharedSchema, preserveUnknownFields });
}
