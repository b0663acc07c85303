import { each, type Fields, get, rows } from "../builders.ts";
import type { Request, Sequence, Step } from "../sequence.ts";

/** What is asked for by a path and is no resource: discovery, OpenAPI, health, and the ways to ask wrongly. */

const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

const groups = [
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "apiregistration.k8s.io",
  "apps",
  "authentication.k8s.io",
  "authorization.k8s.io",
  "batch",
  "certificates.k8s.io",
  "coordination.k8s.io",
  "discovery.k8s.io",
  "events.k8s.io",
  "networking.k8s.io",
  "node.k8s.io",
  "policy",
  "rbac.authorization.k8s.io",
  "scheduling.k8s.io",
  "storage.k8s.io",
];

const versionPaths = ["api/v1", "apis/autoscaling/v1", ...groups.map((group) => `apis/${group}/v1`)];

export const groupSequences: readonly Sequence[] = each("discovery of a group", groups, (group) => [
  get(`/apis/${group}`),
  get(`/apis/${group}/`),
  get(`/apis/${group}`, { accept: "application/yaml" }),
  get(`/apis/${group}`, { accept: aggregated }),
  get(`/apis/${group}/v9`),
]);

export const resourceSequences: readonly Sequence[] = each("discovery of resources", versionPaths, (path) => [
  get(`/${path}`),
  get(`/${path}/`),
  get(`/${path}`, { accept: "application/yaml" }),
  { send: `POST /${path}`, body: {} },
]);

const openApiPaths = [
  ".well-known/openid-configuration",
  "api",
  "apis",
  "apis/autoscaling",
  "openid/v1/jwks",
  "version",
  ...groups.map((group) => `apis/${group}`),
  ...versionPaths,
];

export const openApiSequences: readonly Sequence[] = each("OpenAPI", openApiPaths, (path) => [
  get(`/openapi/v3/${path}`),
]);

const accepts: Readonly<Record<string, string>> = {
  anything: "*/*",
  "any application": "application/*",
  json: "application/json",
  yaml: "application/yaml",
  html: "text/html",
  "html or json": "text/html, application/json",
  "html or anything at last": "text/html,*/*;q=0.1",
  "yaml before json": "application/json;q=0.5,application/yaml",
  "a version of discovery that is gone": "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList",
  "a version of discovery that is gone, or plain": `application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json`,
  "discovery of another group": "application/json;g=meta.k8s.io;v=v2;as=APIGroupDiscoveryList",
  "a table": "application/json;as=Table;g=meta.k8s.io;v=v1",
  "a table or json": "application/json;as=Table;g=meta.k8s.io;v=v1,application/json",
};

const negotiated = ["/api", "/apis/apps", "/api/v1", "/apis/storage.k8s.io/v1", "/openapi/v3/apis/policy"];

export const acceptSequences: readonly Sequence[] = Object.entries(accepts).map(([name, accept]) => ({
  name: `documents for whoever takes ${name}`,
  steps: negotiated.map((path) => get(path, { accept })),
}));

export const refusalSequences: readonly Sequence[] = rows(
  "documents for whoever takes nothing of theirs",
  Object.fromEntries(
    ["/version", "/apis", "/openid/v1/jwks", "/.well-known/openid-configuration", "/openapi/v2"].map((path) => [
      path,
      get(path, { accept: "text/html" }),
    ]),
  ),
);

export const coreDiscovery: readonly Sequence[] = [
  { name: "discovery of the core group in one document", steps: [get("/api", { accept: aggregated })] },
  {
    name: "discovery in one document, as kubectl asks for it",
    steps: [
      get("/api", {
        accept: `${aggregated},application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json`,
      }),
    ],
  },
  { name: "discovery without that of peers", steps: [get("/api", { accept: `${aggregated};profile=nopeer` })] },
];

const unknown = [
  "/nope",
  "/nope/",
  "/api/v2",
  "/api/v2/",
  "/apis/nope",
  "/apis/nope/",
  "/apis/nope/v1",
  "/apis/nope/v1/",
  "/apis/apps/v1beta1",
  "/apis//",
  "/apis/v1",
  "/healthz/",
  "/healthz/nope",
  "/livez/nope/more",
  "/readyz/",
  "/openapi",
  "/openapi/",
  "/openapi/v1",
  "/openapi/v2/",
  "/openapi/v2/apps",
  "/openapi/v3/",
  "/openapi/v3/nope",
  "/openapi/v3/apis/nope/v1",
  "/openapi/v3/api/v2",
  "/openid",
  "/openid/v1",
  "/openid/v1/keys",
  "/.well-known",
  "/.well-known/openid-configuration/more",
  "/openid/v1/jwks/more",
  "/version/more/and/more",
  "/version/more",
  "/versions",
  "/swagger.json",
  "/logs",
  "/ui",
  "/favicon.ico",
  "/robots.txt",
];

export const unknownSequences: readonly Sequence[] = each("a path that leads nowhere", unknown, (path) => [
  get(path),
  { send: `POST ${path}`, body: {} },
  { send: `DELETE ${path}` },
]);

const methods = ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const methodPaths = [
  "/version",
  "/api",
  "/api/v1",
  "/apis/apps",
  "/apis/apps/v1",
  "/healthz",
  "/livez/ping",
  "/readyz",
  "/openid/v1/jwks",
  "/.well-known/openid-configuration",
  "/openapi/v3/apis/policy",
  "/apis/apps/v9",
];

export const methodSequences: readonly Sequence[] = methodPaths.map((path) => ({
  name: `other methods than GET on ${path}`,
  steps: methods.map((method): Request => ({ send: `${method} ${path}` })),
}));

const healthPaths = ["healthz", "livez", "readyz"].flatMap((kind) => [
  `/${kind}`,
  `/${kind}?exclude=etcd`,
  `/${kind}?exclude=etcd&exclude=ping`,
  `/${kind}?exclude=nope`,
  `/${kind}/ping`,
  `/${kind}/etcd`,
  `/${kind}/ping?verbose`,
  `/${kind}/poststarthook/rbac/bootstrap-roles`,
]);

export const healthSequences: readonly Sequence[] = [
  ...each("health", healthPaths, (path) => [get(path), get(path, { accept: "text/html" })]),
  ...each("readiness", ["/readyz/shutdown", "/livez/shutdown", "/readyz/etcd-readiness"], (path) => [get(path)]),
];

export const openIdSequences: readonly Sequence[] = rows("how to verify tokens", {
  "is told to everybody": get("/.well-known/openid-configuration"),
  "is told to service accounts": get("/.well-known/openid-configuration", {
    as: "system:serviceaccount:{ns}:default",
    groups: ["system:serviceaccounts", "system:authenticated"],
  }),
  "is not told to just any user": get("/.well-known/openid-configuration", { as: "ann" }),
});

const askers: Readonly<Record<string, Pick<Request, "as" | "groups">>> = {
  "a user": { as: "ann", groups: ["system:authenticated"] },
  "nobody in particular": { as: "system:anonymous", groups: ["system:unauthenticated"] },
  "somebody of no group": { as: "ann", groups: [] },
};

const guarded = [
  "/api",
  "/apis/apps",
  "/openapi/v3/apis/policy",
  "/healthz",
  "/livez",
  "/metrics",
  "/nope",
  "/version/",
];

export const accessSequences: readonly Sequence[] = Object.entries(askers).map(([name, asker]) => ({
  name: `documents for ${name}`,
  steps: guarded.filter((path) => path !== "/version/").map((path) => get(path, asker)),
}));

/** Definitions: each of them is another group, so that nobody else's is in the answers. */
const group = "{id}.documents.test";

const definition = (names: Fields, versions: readonly Fields[], scope = "Namespaced") => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${String(names["plural"])}.${group}` },
  spec: { group, names, scope, versions },
});

const boats = { plural: "boats", singular: "boat", kind: "Boat" };

const version = (name: string, schema: Fields, more: Fields = {}) => ({
  name,
  served: true,
  storage: name === "v1",
  schema: { openAPIV3Schema: schema },
  ...more,
});

const spec = (fields: Fields) => ({ type: "object", properties: { spec: { type: "object", properties: fields } } });

const define = (object: unknown): Step => ({
  send: "POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions",
  body: object,
});

/** Asked for when the real server has got to it. */
const published = (versions: readonly string[] = ["v1"]): Step[] => [
  ...versions.map((name) => get(`/apis/${group}/${name}`, { awaits: 200 })),
  ...versions.map((name) => get(`/openapi/v3/apis/${group}/${name}`, { awaits: 200 })),
  get(`/apis/${group}`, { awaits: 200 }),
];

const schemas: Readonly<Record<string, Fields>> = {
  "an object of nothing": { type: "object" },
  "an object of everything": { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  "a description": { type: "object", description: "A boat.", properties: { spec: { type: "object" } } },
  "metadata of its own": {
    type: "object",
    properties: { metadata: { type: "object", properties: { name: { type: "string", maxLength: 9 } } } },
  },
  "types of its own": { type: "object", properties: { apiVersion: { type: "string" }, kind: { type: "string" } } },
  "required fields": { type: "object", required: ["spec"], properties: { spec: { type: "string" } } },
  texts: spec({ a: { type: "string", minLength: 1, maxLength: 9, pattern: "^a", enum: ["a", "ab"], title: "A" } }),
  formats: spec({ a: { type: "string", format: "date-time" }, b: { type: "string", format: "byte" } }),
  numbers: spec({ a: { type: "number", minimum: 0, exclusiveMinimum: true, multipleOf: 2 }, b: { type: "integer" } }),
  "sized numbers": spec({
    a: { type: "integer", format: "int32", default: 1 },
    b: { type: "integer", format: "int64" },
  }),
  booleans: spec({ a: { type: "boolean", default: false } }),
  "what may be null": spec({ a: { type: "string", nullable: true }, b: { type: "object", nullable: true } }),
  lists: spec({ a: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 3 } }),
  sets: spec({ a: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" } }),
  "lists by key": spec({
    a: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
      items: { type: "object", required: ["k"], properties: { k: { type: "string" }, v: { type: "integer" } } },
    },
  }),
  maps: spec({ a: { type: "object", additionalProperties: { type: "integer", format: "int32" } } }),
  "maps of anything": spec({ a: { type: "object", additionalProperties: { "x-kubernetes-int-or-string": true } } }),
  "atomic maps": spec({
    a: { type: "object", "x-kubernetes-map-type": "atomic", properties: { b: { type: "string" } } },
  }),
  "numbers or texts": spec({ a: { "x-kubernetes-int-or-string": true } }),
  "numbers or texts, said twice": spec({
    a: { anyOf: [{ type: "integer" }, { type: "string" }], "x-kubernetes-int-or-string": true },
  }),
  "numbers or texts of a pattern": spec({
    a: {
      allOf: [{ anyOf: [{ type: "integer" }, { type: "string" }] }, { pattern: "^a" }],
      "x-kubernetes-int-or-string": true,
    },
  }),
  "objects of anything": spec({ a: { type: "object", "x-kubernetes-preserve-unknown-fields": true } }),
  "objects within": spec({
    a: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
    b: {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      required: ["spec"],
      properties: { spec: { type: "string" } },
    },
  }),
  rules: spec({ a: { type: "string", "x-kubernetes-validations": [{ rule: "self != 'a'", message: "no" }] } }),
  choices: spec({
    a: { type: "string", oneOf: [{ pattern: "a" }, { pattern: "b" }], not: { enum: ["x"] }, anyOf: [{ minLength: 1 }] },
  }),
  "defaults of objects": spec({
    a: { type: "object", default: {}, properties: { b: { type: "string", default: "x" } } },
  }),
  examples: spec({
    a: { type: "string", example: "z", externalDocs: { url: "https://example.test", description: "d" } },
  }),
};

export const definitionSchemas: readonly Sequence[] = Object.entries(schemas).map(([name, schema]) => ({
  name: `documents of a definition with ${name}`,
  steps: [define(definition(boats, [version("v1", schema)])), ...published()],
}));

const any = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };

export const definitionSequences: readonly Sequence[] = rows("documents of a definition", {
  "of the cluster": [define(definition(boats, [version("v1", any)], "Cluster")), ...published()],
  "with all names": [
    define(
      definition({ ...boats, listKind: "Fleet", shortNames: ["bt", "bo"], categories: ["all", "ships"] }, [
        version("v1", any),
      ]),
    ),
    ...published(),
  ],
  "with the least of names": [
    define(definition({ plural: "boats", kind: "Boat" }, [version("v1", any)])),
    ...published(),
  ],
  "whose kind looks like many": [define(definition({ ...boats, kind: "Boats" }, [version("v1", any)])), ...published()],
  "whose kind begins with a vowel": [
    define(definition({ ...boats, kind: "Ark" }, [version("v1", any)])),
    ...published(),
  ],
  "with a status": [define(definition(boats, [version("v1", any, { subresources: { status: {} } })])), ...published()],
  "with a scale": [
    define(definition(boats, [version("v1", any, { subresources: { status: {}, scale } })], "Cluster")),
    ...published(),
  ],
  "in several versions": [
    define(
      definition(boats, [
        version("v1", any),
        version("v1beta1", any, { deprecated: true }),
        version("v2alpha1", any, { served: false }),
        version("v10", spec({ a: { type: "string" } })),
      ]),
    ),
    ...published(["v1", "v1beta1", "v10"]),
    get(`/apis/${group}/v2alpha1`),
    get(`/openapi/v3/apis/${group}/v2alpha1`),
  ],
  "asked for in other ways": [
    define(definition(boats, [version("v1", any)])),
    get(`/apis/${group}/v1`, { awaits: 200 }),
    get(`/apis/${group}/v1`, { accept: "application/yaml" }),
    get(`/apis/${group}/v1`, { accept: "text/html" }),
    get(`/apis/${group}/v1`, { accept: aggregated }),
    get(`/apis/${group}`, { accept: "text/html" }),
    get(`/apis/${group}/v7`),
    get(`/apis/${group}/v7/boats`),
    ...methods.map((method): Step => ({ send: `${method} /apis/${group}/v1` })),
    ...methods.map((method): Step => ({ send: `${method} /apis/${group}` })),
  ],
  "that goes again": [
    define(definition(boats, [version("v1", any)])),
    get(`/openapi/v3/apis/${group}/v1`, { awaits: 200 }),
    { send: `DELETE /apis/apiextensions.k8s.io/v1/customresourcedefinitions/boats.${group}` },
    get(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/boats.${group}`, { awaits: 404 }),
    get(`/apis/${group}/v1`, { awaits: 404 }),
    get(`/openapi/v3/apis/${group}/v1`, { awaits: 404 }),
  ],
});
