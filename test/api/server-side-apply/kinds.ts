import { builtInKind, customKind, type ManagedKind, type OpenApiSchema } from "@stowage/machinery/apply";
import type { Json } from "./json-parts.ts";
import type { Sample } from "./object-samples.ts";

/** A resource that objects are written to. */
export interface TestKind {
  /** `{ns}` stands for the namespace of the test. */
  readonly collection: string;
  kindOf(subresource: string): ManagedKind;
  hasForbiddenNull?(object: Json): boolean;
  /** The server writes the fields of an object of a CRD in the order of their text. */
  readonly isCustom?: boolean;
  /** Where a name must look like something in particular. */
  nameOf?(): string | undefined;
  readonly serverMade?: readonly (readonly string[])[];
}

function builtIn(apiVersion: string, kind: string, collection: string, serverMade?: TestKind["serverMade"]): TestKind {
  const kindOf = (subresource: string): ManagedKind => {
    const found = builtInKind(apiVersion, kind, subresource);
    if (found === undefined) throw new Error(`${apiVersion} ${kind} is not in the table of types`);
    return found;
  };
  return { collection, kindOf, ...(serverMade && { serverMade }) };
}

const specFields = (...names: readonly string[]) => names.map((name) => ["spec", name]);

export const configMaps = builtIn("v1", "ConfigMap", "/api/v1/{ns}/configmaps");
export const podTemplates = builtIn("v1", "PodTemplate", "/api/v1/{ns}/podtemplates");
export const deployments = builtIn("apps/v1", "Deployment", "/apis/apps/v1/{ns}/deployments");
export const scales = builtIn("autoscaling/v1", "Scale", "");
export const services = builtIn(
  "v1",
  "Service",
  "/api/v1/{ns}/services",
  specFields("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"),
);
export const pods = builtIn(
  "v1",
  "Pod",
  "/api/v1/{ns}/pods",
  specFields("serviceAccountName", "serviceAccount", "priority", "preemptionPolicy", "tolerations", "nodeName"),
);

export function sampleKind({ apiVersion, kind, collection, serverMade }: Sample): TestKind {
  const nameOf = () => (kind === "APIService" ? "v1.a.example.com" : undefined);
  return { ...builtIn(apiVersion, kind, collection, serverMade), nameOf };
}

const text = { type: "string" };
const number = { type: "integer" };
const listOf = (items: Json, kind: string, ...keys: string[]) => ({
  type: "array",
  items,
  "x-kubernetes-list-type": kind,
  ...(keys.length > 0 && { "x-kubernetes-list-map-keys": keys }),
});
const recordOf = (properties: Json) => ({ type: "object", properties });

const port = {
  ...recordOf({ port: number, protocol: { ...text, default: "TCP" }, note: text, tags: listOf(text, "set") }),
  required: ["port"],
};
const child = { ...recordOf({ name: text, value: text }), required: ["name"] };
const stage = {
  ...recordOf({ name: text, children: listOf(child, "map", "name"), open: recordOf({ a: number }) }),
  required: ["name"],
};

const specWith = (nested: Json) =>
  recordOf({
    count: number,
    flag: { type: "boolean" },
    ratio: { type: "number" },
    size: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
    tags: listOf(text, "set"),
    numbers: listOf(number, "set"),
    whole: listOf(text, "atomic"),
    plain: { type: "array", items: recordOf({ a: text }) },
    ports: listOf(port, "map", "port", "protocol"),
    stages: listOf(stage, "map", "name"),
    labels: { type: "object", additionalProperties: text },
    nested,
    sealed: { ...recordOf({ a: text, b: text }), "x-kubernetes-map-type": "atomic" },
    struct: recordOf({ a: text, inner: recordOf({ b: text, c: number }) }),
    free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    mixed: { ...recordOf({ known: text }), "x-kubernetes-preserve-unknown-fields": true },
    maybe: { ...text, nullable: true },
  });
const condition = { ...recordOf({ type: text, status: text, reason: text }), required: ["type"] };
const status = recordOf({ phase: text, conditions: listOf(condition, "map", "type"), seen: number });
const nested = { type: "object", additionalProperties: recordOf({ a: text, b: text }) };
const schema = recordOf({ spec: specWith(nested), status });
const atomicSchema = recordOf({ spec: specWith({ ...nested, "x-kubernetes-map-type": "atomic" }), status });

/** Another in each run: what an earlier run left behind would be in the way. */
const group = `apply-${process.pid}-${Date.now().toString(36)}.stowage.test`;

const definitionOf = (openAPIV3Schema: Json) => {
  const served = { served: true, schema: { openAPIV3Schema }, subresources: { status: {} } };
  const versions = ["v1", "v2"].map((name) => ({ name, storage: name === "v1", ...served }));
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `parcels.${group}` },
    spec: { group, names: { plural: "parcels", kind: "Parcel" }, scope: "Namespaced", versions },
  };
};

export const customDefinition = definitionOf(schema);
/** The same, with a map that has become one value. */
export const atomicDefinition = definitionOf(atomicSchema);

const kindsOf = (openApi: Json, version: string): TestKind => {
  const schemaOfAll = openApi as OpenApiSchema;
  const versions = ["v1", "v2"].map((name) => ({ name, schema: schemaOfAll, hasStatus: true }));
  return {
    collection: `/apis/${group}/${version}/{ns}/parcels`,
    kindOf: (subresource) => customKind({ group, kind: "Parcel", versions }, version, subresource),
    hasForbiddenNull,
    isCustom: true,
  };
};

export const parcels = kindsOf(schema, "v1");
export const parcelsV2 = kindsOf(schema, "v2");
export const atomicParcels = kindsOf(atomicSchema, "v1");

/** Null where the schema does not allow it; it says nothing of what is inside `free` and `mixed`. */
function hasForbiddenNull(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return value === null;
  return Object.entries(value).some(([name, field]) => {
    if (name === "free" || name === "mixed") return field === null;
    return name !== "maybe" && hasForbiddenNull(field);
  });
}
