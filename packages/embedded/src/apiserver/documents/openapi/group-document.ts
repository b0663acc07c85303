import type { GroupVersion, ServedResource } from "../../resources/index.ts";
import { servedVersion } from "../server-version.ts";
import { customScene, customSchemas } from "./custom-schemas.ts";
import { everyDeletable } from "./deletable-versions.ts";
import {
  contentOf,
  type OpenApiDocument,
  type Operation,
  type Paths,
  referenceTo,
  type Schema,
  sortedByKey,
} from "./openapi-types.ts";
import { capital, type Dialect, groupTitle, metaName, responses, tagOf } from "./operation-scene.ts";
import { resourcePaths } from "./resource-paths.ts";
import type { SchemaLibrary } from "./schema-library.ts";

const types = ["application/json", "application/vnd.kubernetes.protobuf", "application/yaml"];

const builtInDialect: Dialect = {
  types,
  listTypes: [
    "application/json",
    "application/json;stream=watch",
    "application/vnd.kubernetes.protobuf",
    "application/vnd.kubernetes.protobuf;stream=watch",
    "application/yaml",
  ],
  bodyTypes: ["*/*"],
  patchTypes: [
    "application/apply-patch+yaml",
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
  ],
  patchCodes: ["200", "201"],
  readParameters: [],
};

export interface ServedGroupVersion extends GroupVersion {
  readonly resources: readonly ServedResource[];
}

/** `api/v1`, `apis/apps/v1`: the resources of one version. */
export function versionDocument(library: SchemaLibrary, served: ServedGroupVersion): OpenApiDocument {
  const root = served.group === "" ? `/api/${served.version}` : `/apis/${served.group}/${served.version}`;
  const isCustom = served.resources.some(({ definition }) => definition !== undefined);
  const own = isCustom ? customSchemas(served.resources) : new Map<string, Schema>();
  const items = served.resources.flatMap((resource) =>
    resourcePaths(
      isCustom
        ? customScene(library, resource)
        : { library, dialect: builtInDialect, resource, nameOf: (kind) => library.nameOf(kind) },
    ),
  );
  const named = items.map(([path, item]) => [`${root}/${path}`, item] as const);
  const paths = sortedByKey(isCustom ? named : [[`${root}/`, { get: resourcesOperation(served) }] as const, ...named]);
  const schemas = library.reachedFrom(paths, own);
  if (isCustom) return customDocument(paths, schemas);
  return builtInDocument(paths, withOptions(schemas, [{ group: "", version: "v1" }, served]));
}

function customDocument(paths: Paths, schemas: Readonly<Record<string, Schema>>): OpenApiDocument {
  const info = { title: "Kubernetes CRD Swagger", version: "v0.1.0" };
  return { openapi: "3.0.0", info, paths, components: { schemas: withOptions(schemas, everyDeletable()) } };
}

const bearer = {
  BearerToken: { type: "apiKey", description: "Bearer Token authentication", name: "authorization", in: "header" },
};

export function builtInDocument(paths: Paths, schemas: Readonly<Record<string, Schema>>): OpenApiDocument {
  const info = { title: "Kubernetes", version: `${servedVersion.major}.${servedVersion.minor}` };
  const described = Object.keys(schemas).length > 0 && { schemas };
  return { openapi: "3.0.0", info, paths, components: { ...described, securitySchemes: bearer } };
}

/** Options come with every group and version, and say with which. */
function withOptions(
  schemas: Readonly<Record<string, Schema>>,
  versions: readonly GroupVersion[],
): Readonly<Record<string, Schema>> {
  const distinct = new Map(versions.map(({ group, version }) => [`${group}/${version}`, { group, version }]));
  const changed = ["DeleteOptions", "WatchEvent"].flatMap((kind) => {
    const schema = schemas[metaName(kind)];
    const kinds = [...distinct.values()].map(({ group, version }) => ({ group, kind, version }));
    return schema === undefined
      ? []
      : [[metaName(kind), { ...schema, "x-kubernetes-group-version-kind": kinds }] as const];
  });
  return { ...schemas, ...Object.fromEntries(changed) };
}

function resourcesOperation(served: GroupVersion): Operation {
  const title = `${capital(groupTitle(served.group))}${capital(served.version)}`;
  return plainOperation({
    tag: tagOf(served),
    description: "get available resources",
    id: `get${title}APIResources`,
    kind: "APIResourceList",
  });
}

export interface PlainParts {
  readonly tag: string;
  readonly description: string;
  readonly id: string;
  /** One of the kinds that discovery answers with. */
  readonly kind: string;
}

export function plainOperation({ tag, description, id, kind }: PlainParts): Operation {
  const content = contentOf(types, referenceTo(metaName(kind)));
  return { tags: [tag], description, operationId: id, responses: responses(["200"], content) };
}
