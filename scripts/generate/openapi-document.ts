/** The part of OpenAPI v3 that Kubernetes uses to describe its types. */
export interface Schema {
  description?: string;
  type?: "object" | "array" | "string" | "integer" | "number" | "boolean";
  format?: string;
  default?: unknown;
  enum?: string[];
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema;
  items?: Schema;
  allOf?: Schema[];
  oneOf?: Schema[];
  $ref?: string;
  "x-kubernetes-group-version-kind"?: GroupVersionKind[];
  "x-kubernetes-list-map-keys"?: string[];
  "x-kubernetes-list-type"?: string;
  "x-kubernetes-map-type"?: string;
  "x-kubernetes-patch-merge-key"?: string;
  "x-kubernetes-patch-strategy"?: string;
}

export interface GroupVersionKind {
  group: string;
  version: string;
  kind: string;
}

/** One entry of a discovery document; `name` is `plural` or `plural/subresource`. */
export interface DiscoveredResource {
  name: string;
  singularName: string;
  namespaced: boolean;
  kind: string;
  /** Only where a subresource speaks another group's kind, as `scale` and `eviction` do. */
  group?: string;
  version?: string;
  verbs: string[];
  shortNames?: string[];
  categories?: string[];
}

/** One committed file of `packages/machinery/openapi`: what a group-version owns. */
export interface ApiDocument {
  /** As objects carry it in `apiVersion`; for the file of shared types, `meta/v1`, which no object carries. */
  groupVersion: string;
  resources: DiscoveredResource[];
  /** By full name, such as `io.k8s.api.core.v1.Pod`. */
  schemas: Record<string, Schema>;
}

/** The file of the types that belong to no group: object metadata, Status, Quantity, version information. */
export const sharedFile = "meta-v1";

/** `io.k8s.api.core.v1.Pod` is owned by `core-v1`. */
export function owningFile(schemaName: string): string {
  const [group, version] = schemaName.split(".").slice(-3, -1);
  return version !== undefined && /^v\d/.test(version) ? `${group}-${version}` : sharedFile;
}

/** `storage.k8s.io/v1` is described in `storage-v1`, `v1` in `core-v1`. */
export function fileOf(groupVersion: string): string {
  const [group, version] = groupVersion.includes("/") ? groupVersion.split("/") : ["core", groupVersion];
  return `${group?.split(".")[0]}-${version}`;
}

/** `io.k8s.api.core.v1.Pod` is `Pod`. */
export function shortName(schemaName: string): string {
  return schemaName.slice(schemaName.lastIndexOf(".") + 1);
}

/** The full name a schema refers to, directly or through the `allOf` that Kubernetes wraps references with defaults in. */
export function referenceOf(schema: Schema): string | undefined {
  const ref = schema.$ref ?? schema.allOf?.[0]?.$ref;
  return ref?.slice("#/components/schemas/".length);
}
