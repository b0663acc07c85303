import type { ServedResource } from "../../resources/index.ts";
import { type KindName, referenceTo, type Schema } from "./openapi-types.ts";
import { type Dialect, listKindOf, metaName, type OperationScene } from "./operation-scene.ts";
import type { SchemaLibrary } from "./schema-library.ts";

const types = ["application/json", "application/yaml"];

const customDialect: Dialect = {
  types,
  listTypes: types,
  bodyTypes: types,
  patchTypes: ["application/apply-patch+yaml", "application/json-patch+json", "application/merge-patch+json"],
  patchCodes: ["200"],
  readParameters: ["resourceVersion"],
};

export function customScene(library: SchemaLibrary, resource: ServedResource): OperationScene {
  const nameOf = (kind: KindName) => (kind.group === resource.group ? schemaName(kind) : library.nameOf(kind));
  return { library, dialect: customDialect, resource, nameOf };
}

/** `harbour.example.com/v1` `Boat` is `com.example.harbour.v1.Boat`. */
function schemaName({ group, version, kind }: KindName): string {
  return [...group.split(".").toReversed(), version, kind].join(".");
}

/** What the definitions say of their kinds, and of the lists of them. */
export function customSchemas(resources: readonly ServedResource[]): ReadonlyMap<string, Schema> {
  return new Map(resources.flatMap((resource) => [objectSchema(resource), listSchema(resource)]));
}

const conventions = "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md";

const typeFields = {
  apiVersion: {
    description: `APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: ${conventions}#resources`,
    type: "string",
  },
  kind: {
    description: `Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: ${conventions}#types-kinds`,
    type: "string",
  },
};

const objectMetadata = {
  description: `Standard object's metadata. More info: ${conventions}#metadata`,
  allOf: [referenceTo(metaName("ObjectMeta"))],
};

const embeddedFields = {
  apiVersion: {
    description: `apiVersion defines the versioned schema of this representation of an object. More info: ${conventions}#resources`,
    type: "string",
  },
  kind: {
    description: `kind is a string value representing the type of this object. In CamelCase. More info: ${conventions}#types-kinds`,
    type: "string",
  },
  metadata: objectMetadata,
};

function objectSchema({ group, version, kind, definition }: ServedResource): [string, Schema] {
  const served = definition?.spec.versions.find(({ name }) => name === version);
  const said = (served?.schema?.openAPIV3Schema ?? { type: "object" }) as Schema;
  const { properties, ...rest } = published(said);
  const name = { group, kind, version };
  const fields = { ...(properties as object | undefined), ...typeFields, metadata: objectMetadata };
  return [schemaName(name), { ...rest, properties: fields, "x-kubernetes-group-version-kind": [name] }];
}

function listSchema(resource: ServedResource): [string, Schema] {
  const { group, version, kind, plural } = resource;
  const name = { group, kind: listKindOf(resource), version };
  const items = {
    description: `List of ${plural}. More info: ${conventions}`,
    type: "array",
    items: referenceTo(schemaName({ group, version, kind })),
  };
  const metadata = {
    description: `Standard list metadata. More info: ${conventions}#types-kinds`,
    allOf: [referenceTo(metaName("ListMeta"))],
  };
  const schema = {
    description: `${name.kind} is a list of ${kind}`,
    type: "object",
    required: ["items"],
    properties: { ...typeFields, items, metadata },
    "x-kubernetes-group-version-kind": [name],
  };
  return [schemaName(name), schema];
}

/** A schema as clients get it: with what Kubernetes itself knows of objects within objects and of numbers that may be texts. */
function published(schema: Schema): Schema {
  const changed: Record<string, unknown> = { ...schema };
  const { properties, items, additionalProperties } = schema;
  if (properties !== undefined) changed["properties"] = publishedFields(properties as Record<string, Schema>);
  if (isSchema(items)) changed["items"] = published(items);
  if (isSchema(additionalProperties)) changed["additionalProperties"] = published(additionalProperties);
  if (schema["x-kubernetes-embedded-resource"] === true) {
    changed["properties"] = { ...(changed["properties"] as object | undefined), ...embeddedFields };
    const required = (schema["required"] as string[] | undefined) ?? [];
    changed["required"] = [...required, ...["kind", "apiVersion"].filter((name) => !required.includes(name))];
  }
  const isEither = schema["x-kubernetes-int-or-string"] === true && schema["anyOf"] === undefined;
  if (isEither && schema["allOf"] === undefined) changed["anyOf"] = [{ type: "integer" }, { type: "string" }];
  return changed;
}

function publishedFields(properties: Readonly<Record<string, Schema>>): Record<string, Schema> {
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, published(field)]));
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
