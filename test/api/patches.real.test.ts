import { type KubernetesObject, StowageError } from "@stowage/machinery";
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  createJsonPatch,
  createMergePatch,
  createStrategicMergePatch,
  type JsonPatchOperation,
} from "@stowage/machinery/patches";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Fields, type Json, objectOf, patchOf } from "./patch-shapes.ts";
import { realApi } from "./real-api.ts";

/**
 * The same patches through the real API server and through ours. Each object exists on the server, so that its defaults are in
 * place; patches go to the server as dry runs. Our result goes to the server too, as a strict dry run of an update: both are
 * then defaulted and validated alike, and anything left over in ours that the server does not know is refused.
 */
interface Kind {
  readonly contentType: string;
  apply(object: KubernetesObject, patch: object): KubernetesObject;
  create(from: KubernetesObject, to: KubernetesObject): object;
}

const kinds = {
  json: {
    contentType: "application/json-patch+json",
    apply: (object, patch) => applyJsonPatch(object, patch as JsonPatchOperation[]),
    create: createJsonPatch,
  },
  merge: { contentType: "application/merge-patch+json", apply: applyMergePatch, create: createMergePatch },
  strategic: {
    contentType: "application/strategic-merge-patch+json",
    apply: applyStrategicMergePatch,
    create: createStrategicMergePatch,
  },
} satisfies Record<string, Kind>;

type KindName = keyof typeof kinds;

const namespace = `patches-${process.pid}-${Date.now().toString(36)}`;
const group = "patches.stowage.test";
const api = realApi();
const paths: string[] = [];

/** Any JSON, for the patches that know nothing of types. */
const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `documents.${group}` },
  spec: {
    group,
    names: { plural: "documents", kind: "Document" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

beforeAll(async () => {
  await createAt("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace" }, namespace);
  await createAt("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition, definition.metadata.name);
  // Pods are refused without it; a controller may make it first.
  const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default" } };
  await api.request("POST", `/api/v1/namespaces/${namespace}/serviceaccounts`, account);
  // Until the server knows the resource it answers in plain text, which fails to parse.
  const isServed = async () => (await api.request("GET", `/apis/${group}/v1/documents`)).status === 200;
  await vi.waitUntil(() => isServed().catch(() => false), 30_000);
});

afterAll(async () => {
  const headers = { "content-type": kinds.merge.contentType };
  for (const path of paths.toReversed()) {
    await api.request("PATCH", path, { metadata: { finalizers: null } }, headers);
    await api.request("DELETE", path);
  }
});

/** Creates an object, under a new name unless one is given, and returns the path to it. */
async function createAt(collection: string, object: Json, name = `object-${paths.length}`): Promise<string> {
  const path = collection.replace("{ns}", `namespaces/${namespace}`);
  const named = { ...object, metadata: { ...(object["metadata"] as Json | undefined), name } };
  const { status, json } = await api.request("POST", path, named);
  if (status !== 201) throw new Error(`The server did not create ${JSON.stringify(named)}: ${JSON.stringify(json)}`);
  paths.push(`${path}/${name}`);
  return `${path}/${name}`;
}

interface Outcome {
  readonly status: number;
  /** What the server made of the patch; undefined when it refused. */
  readonly theirs: unknown;
  /** Why we refused the patch. */
  readonly code: string | undefined;
  /** What the server makes of our result; undefined when we refused the patch, or the server our result. */
  readonly ours: unknown;
}

/** A controller may change the object between reading it and patching it: then it all begins anew. */
async function bothWays(path: string, kind: KindName, patch: object): Promise<Outcome> {
  for (;;) {
    const before = (await api.request<KubernetesObject>("GET", path)).json;
    const theirs = await patchOnServer(path, kind, patch);
    const { result, code } = patchHere(kind, before, patch);
    const ours = result && (await api.request("PUT", `${path}?dryRun=All&fieldValidation=Strict`, result));
    const after = (await api.request<KubernetesObject>("GET", path)).json;
    if (after.metadata.resourceVersion !== before.metadata.resourceVersion) continue;
    return { status: theirs.status, theirs: accepted(theirs), code, ours: ours && accepted(ours) };
  }
}

function patchOnServer(path: string, kind: KindName, patch: object) {
  return api.request("PATCH", `${path}?dryRun=All`, patch, { "content-type": kinds[kind].contentType });
}

function patchHere(kind: KindName, object: KubernetesObject, patch: object) {
  try {
    return { result: (kinds[kind] as Kind).apply(object, patch), code: undefined };
  } catch (error) {
    if (!(error instanceof StowageError)) throw error;
    return { result: undefined, code: error.code };
  }
}

function accepted(answer: { status: number; json: unknown }): unknown {
  return answer.status === 200 ? withoutBookkeeping(answer.json as KubernetesObject) : undefined;
}

function withoutBookkeeping({ metadata, ...rest }: KubernetesObject): unknown {
  const { managedFields: _fields, generation: _generation, resourceVersion: _version, ...kept } = metadata;
  return { metadata: kept, ...rest };
}

/** Expects the same of both for every patch, and enough patches that the server accepts for that to mean something. */
async function expectSame(path: string, kind: KindName, patches: readonly object[]): Promise<number> {
  let count = 0;
  for (const patch of patches) {
    const { theirs, ours, status, code } = await bothWays(path, kind, patch);
    expect({ patch, status, code, result: ours }).toEqual({ patch, status, code, result: theirs });
    if (theirs !== undefined) count++;
  }
  return count;
}

function sample<T>(drawn: fc.Arbitrary<T>, numRuns: number, seed = 42): T[] {
  return fc.sample(drawn, { numRuns, seed });
}

const letter = fc.constantFrom("a", "b", "c", "d");
const metadata: Fields = {
  labels: { map: letter },
  annotations: { map: letter },
  finalizers: { set: letter.map((name) => `example.com/${name}`) },
};
const condition: Fields = {
  status: { value: fc.constantFrom("True", "False") },
  reason: { value: letter },
  message: { value: letter },
};
const modes = { value: fc.subarray(["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany"], { minLength: 1 }) };

const container: Fields = {
  image: { value: letter },
  args: { value: fc.array(letter, { maxLength: 3 }) },
  ports: {
    key: "containerPort",
    keys: fc.integer({ min: 80, max: 83 }),
    item: {
      hostIP: { value: fc.constantFrom("10.0.0.1", "10.0.0.2") },
      protocol: { value: fc.constantFrom("TCP", "UDP") },
    },
  },
  env: { key: "name", keys: letter, item: { value: { value: letter } } },
  volumeMounts: {
    key: "mountPath",
    keys: fc.constantFrom("/a", "/b"),
    item: { name: { value: fc.constant("data") } },
    required: ["name"],
  },
  resources: { fields: { limits: { value: fc.constantFrom({ cpu: "1" }, { memory: "1Gi" }) } } },
};

const podSpec: Fields = {
  containers: { key: "name", keys: letter, item: container, required: ["image"] },
  volumes: {
    key: "name",
    keys: fc.constantFrom("data", "more", "config"),
    item: {
      emptyDir: { fields: { sizeLimit: { value: fc.constantFrom("1Gi", "2Gi") } } },
      configMap: { fields: { name: { value: letter } }, required: ["name"] },
    },
  },
  imagePullSecrets: { key: "name", keys: letter, item: {} },
  hostAliases: {
    key: "ip",
    keys: fc.constantFrom("10.0.0.1", "10.0.0.2"),
    item: { hostnames: { value: fc.array(letter, { maxLength: 2 }) } },
  },
  tolerations: {
    value: fc.array(
      letter.map((key) => ({ key, operator: "Exists" })),
      { maxLength: 3 },
    ),
  },
  nodeSelector: { map: letter },
  securityContext: { fields: { runAsUser: { value: fc.nat({ max: 9 }) }, fsGroup: { value: fc.nat({ max: 9 }) } } },
};

const podTemplate: Fields = {
  metadata: { fields: metadata },
  template: { fields: { metadata: { fields: metadata }, spec: { fields: podSpec } } },
};

/** Adds what the server asks of a Pod's spec and its shape does not say: a volume has one source, mounts name a volume. */
function acceptable(drawn: unknown): Json {
  const object = { apiVersion: "v1", kind: "PodTemplate", ...structuredClone(drawn as Json) };
  const template = ((object as Json)["template"] ??= {}) as Json;
  const spec = (template["spec"] ??= {}) as { volumes?: Json[]; containers?: Json[] };
  spec.containers ??= [{ name: "a", image: "a" }];
  spec.volumes = [{ name: "data" }, ...(spec.volumes ?? []).filter(({ name }) => name !== "data")];
  for (const volume of spec.volumes) if (volume["configMap"] !== undefined) delete volume["emptyDir"];
  return object;
}

const podTemplates = "/api/v1/{ns}/podtemplates";
const drawnTemplates = () => sample(objectOf({ fields: podTemplate }).map(acceptable), 40);

describe("a strategic merge patch gives what the server gives", () => {
  it("for Pod templates with any containers, ports, environment, mounts, volumes and tolerations", async () => {
    const patches = sample(patchOf(podTemplate), 800);
    let count = 0;
    for (const [position, object] of drawnTemplates().entries()) {
      const path = await createAt(podTemplates, object);
      count += await expectSame(path, "strategic", patches.slice(position * 20, position * 20 + 20));
    }
    expect(count).toBeGreaterThan(250);
  });

  it("for the finalizers and owners of a ConfigMap, and its data", async () => {
    const owner = (uid: string) => ({ apiVersion: "v1", kind: "Pod", name: "p", uid });
    const base = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { finalizers: ["example.com/a", "example.com/c"], ownerReferences: ["1", "2"].map(owner) },
      data: { a: "1", b: "2" },
    };
    const owned: Fields = {
      apiVersion: { value: fc.constant("v1") },
      kind: { value: fc.constant("Pod") },
      name: { value: letter },
    };
    const ownerReferences = {
      key: "uid",
      keys: fc.constantFrom("1", "2", "3"),
      item: owned,
      required: Object.keys(owned),
    };
    const shape: Fields = { metadata: { fields: { ...metadata, ownerReferences } }, data: { map: letter } };
    const path = await createAt("/api/v1/{ns}/configmaps", base);
    expect(await expectSame(path, "strategic", sample(patchOf(shape), 150))).toBeGreaterThan(50);
  });

  it("for the ports of a Service, of which two share a key", async () => {
    const port = (name: string, number: number, protocol = "TCP") => ({ name, port: number, protocol });
    const ports = [port("a", 80), port("b", 81), port("c", 53, "UDP"), port("d", 53)];
    const base = { apiVersion: "v1", kind: "Service", spec: { ports, selector: { a: "a" } } };
    const item: Fields = {
      name: { value: fc.constantFrom("a", "b", "x", "y") },
      targetPort: { value: fc.constantFrom(8080, "http") },
    };
    const keyed = { key: "port", keys: fc.constantFrom(80, 81, 82, 53), item, required: ["name"] };
    const shape: Fields = {
      metadata: { fields: metadata },
      spec: { fields: { ports: keyed, selector: { map: letter } } },
    };
    const path = await createAt("/api/v1/{ns}/services", base);
    expect(await expectSame(path, "strategic", sample(patchOf(shape), 150))).toBeGreaterThan(40);
  });

  it("for a Deployment's strategy, whose fields exclude each other, and its conditions", async () => {
    const selector = { matchLabels: { app: "a" } };
    const template = { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "a", image: "a" }] } };
    const base = { apiVersion: "apps/v1", kind: "Deployment", spec: { paused: true, replicas: 0, selector, template } };
    const surge = { value: fc.constantFrom(1, 2, "50%") };
    const rollingUpdate = { fields: { maxSurge: surge, maxUnavailable: surge } };
    const strategy = { fields: { type: { value: fc.constantFrom("Recreate", "RollingUpdate") }, rollingUpdate } };
    const shape: Fields = {
      metadata: { fields: metadata },
      spec: { fields: { strategy, minReadySeconds: { value: fc.nat() } } },
    };
    const path = await createAt("/apis/apps/v1/{ns}/deployments", base);
    expect(await expectSame(path, "strategic", sample(patchOf(shape), 120))).toBeGreaterThan(40);
    const recreate = { spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } } };
    expect(await expectSame(path, "strategic", [recreate])).toBe(1);

    const conditions = {
      key: "type",
      keys: fc.constantFrom("Available", "Progressing", "X"),
      item: condition,
      required: ["status"],
    };
    const status: Fields = { status: { fields: { conditions, observedGeneration: { value: fc.nat({ max: 1 }) } } } };
    expect(await expectSame(`${path}/status`, "strategic", sample(patchOf(status), 80))).toBeGreaterThan(30);
  });

  it("for a PersistentVolume", async () => {
    const nfs = { path: "/", server: "a" };
    const spec = { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], mountOptions: ["a"], nfs };
    const base = { apiVersion: "v1", kind: "PersistentVolume", spec };
    const fields: Fields = {
      accessModes: modes,
      mountOptions: { value: fc.array(letter, { maxLength: 2 }) },
      capacity: { value: fc.constantFrom({ storage: "1Gi" }, { storage: "2Gi" }) },
      claimRef: { fields: { name: { value: letter }, namespace: { value: letter } } },
      persistentVolumeReclaimPolicy: { value: fc.constantFrom("Retain", "Delete") },
    };
    const path = await createAt("/api/v1/persistentvolumes", base, namespace);
    const shape: Fields = { metadata: { fields: metadata }, spec: { fields } };
    expect(await expectSame(path, "strategic", sample(patchOf(shape), 120))).toBeGreaterThan(30);
  });

  it("for a PersistentVolumeClaim and its conditions", async () => {
    const resources = { requests: { storage: "1Gi" } };
    const spec = { accessModes: ["ReadWriteOnce"], resources, storageClassName: "none" };
    const path = await createAt("/api/v1/{ns}/persistentvolumeclaims", {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      spec,
    });
    expect(
      await expectSame(path, "strategic", sample(patchOf({ metadata: { fields: metadata } }), 50)),
    ).toBeGreaterThan(20);

    const conditions = {
      key: "type",
      keys: fc.constantFrom("Resizing", "FileSystemResizePending"),
      item: condition,
      required: ["status"],
    };
    const capacity = { value: fc.constantFrom({ storage: "1Gi" }, { storage: "2Gi" }) };
    const status: Fields = { status: { fields: { conditions, capacity, accessModes: modes } } };
    expect(await expectSame(`${path}/status`, "strategic", sample(patchOf(status), 80))).toBeGreaterThan(30);
  });

  it("for the status of a Pod", async () => {
    const spec = { schedulerName: "nobody", containers: [{ name: "a", image: "a" }] };
    const path = await createAt("/api/v1/{ns}/pods", { apiVersion: "v1", kind: "Pod", spec });
    const conditions = { key: "type", keys: fc.constantFrom("Ready", "X", "Y"), item: condition, required: ["status"] };
    const podIPs = { key: "ip", keys: fc.constantFrom("10.0.0.1", "fd00::1"), item: {} };
    const status: Fields = { status: { fields: { conditions, podIPs, message: { value: letter } } } };
    expect(await expectSame(`${path}/status`, "strategic", sample(patchOf(status), 100))).toBeGreaterThan(40);
  });
});

const jsonName = fc.constantFrom("a", "b", "a/b", "~1", "", "__proto__", "constructor", "toString");
const jsonTree = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 0, 1, "", "x"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(jsonName, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
const jsonObject = fc.dictionary(jsonName, jsonTree, { maxKeys: 4, noNullPrototype: true });

const documents = `/apis/${group}/v1/{ns}/documents`;
const drawnDocuments = () =>
  sample(jsonObject, 30).map((spec) => ({
    apiVersion: `${group}/v1`,
    kind: "Document",
    spec: { list: [0, 1, 2], map: { a: 0, b: {} }, ...spec },
  }));

describe("a patch that knows nothing of types gives what the server gives", () => {
  it("for merge patches of any JSON", async () => {
    const patches = sample(fc.record({ spec: jsonObject }, { noNullPrototype: true }), 300);
    let count = 0;
    for (const [position, object] of drawnDocuments().entries()) {
      const path = await createAt(documents, object);
      count += await expectSame(path, "merge", patches.slice(position * 10, position * 10 + 10));
    }
    expect(count).toBe(300);
  });

  it("for JSON patches of any JSON", async () => {
    const index = fc.constantFrom("0", "1", "2", "3", "4", "-", "-1", "-4", "-9", "01", "+1", "x");
    const parts = fc.oneof(
      fc.tuple(fc.constant("list"), index),
      fc.tuple(fc.constant("map"), jsonName),
      fc.array(fc.oneof(jsonName, index), { minLength: 1, maxLength: 3 }),
    );
    const escaped = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");
    const pointer = parts.map((names) => ["/spec", ...names.map(escaped)].join("/"));
    // A test of a list that holds null makes the server panic.
    const tested = fc.constantFrom(null, true, 0, 1, "", "x", {}, []);
    const operation = fc.oneof(
      fc.record({ op: fc.constantFrom("add", "replace"), path: pointer, value: jsonTree }, { noNullPrototype: true }),
      fc.record({ op: fc.constant("test"), path: pointer, value: tested }, { noNullPrototype: true }),
      fc.record({ op: fc.constantFrom("add", "remove"), path: pointer }, { noNullPrototype: true }),
      fc.record({ op: fc.constantFrom("copy", "move"), path: pointer, from: pointer }, { noNullPrototype: true }),
    );
    const patches = sample(fc.array(operation, { minLength: 1, maxLength: 2 }), 900);
    let count = 0;
    for (const [position, object] of drawnDocuments().entries()) {
      const path = await createAt(documents, object);
      count += await expectSame(path, "json", patches.slice(position * 30, position * 30 + 30));
    }
    expect(count).toBeGreaterThan(150);
  });

  it("for any ConfigMap key", async () => {
    const path = await createAt("/api/v1/{ns}/configmaps", { apiVersion: "v1", kind: "ConfigMap", data: { a: "1" } });
    const keys = ["__proto__", "constructor", "toString", "hasOwnProperty"];
    const adding = keys.map((key) => [{ op: "add", path: `/data/${key}`, value: "x" }]);
    const removing = keys.map((key) => [{ op: "remove", path: `/data/${key}` }]);
    expect(await expectSame(path, "json", [...adding, ...removing])).toBe(keys.length);
    const merging = keys.map((key) => ({ data: Object.fromEntries([[key, "x"]]) }));
    expect(await expectSame(path, "merge", merging)).toBe(keys.length);
    expect(await expectSame(path, "strategic", merging)).toBe(keys.length);
  });
});

describe.each(Object.keys(kinds) as KindName[])("a computed %s patch", (kind) => {
  it("leads the server from one object to another", async () => {
    const objects = drawnTemplates();
    for (const [position, object] of objects.entries()) {
      const path = await createAt(podTemplates, object);
      const from = (await api.request<KubernetesObject>("GET", path)).json;
      const identity = { ...from.metadata, managedFields: undefined };
      const target = { ...objects.at(position - 1), metadata: { ...identity, labels: { to: "it" } } };
      const to = await api.request<KubernetesObject>("PUT", `${path}?dryRun=All`, target);
      const patch = (kinds[kind] as Kind).create(from, to.json);
      const patched = await patchOnServer(path, kind, patch);
      expect({ patch, result: accepted(patched) }).toEqual({ patch, result: accepted(to) });
      expect(withoutBookkeeping((kinds[kind] as Kind).apply(from, patch))).toEqual(accepted(to));
    }
  });
});

describe("a patch that the server refuses is refused", () => {
  const add = (path: string) => [{ op: "add", path, value: "x" }];
  const bad: [KindName, object, number, string][] = [
    ["json", {}, 400, "MALFORMED_PATCH"],
    ["json", [1], 400, "MALFORMED_PATCH"],
    ["json", [{ op: "frob", path: "/data/a" }], 422, "INVALID_PATCH"],
    ["json", [{ op: "add", value: "x" }], 422, "INVALID_PATCH"],
    ["json", [{ op: "move", path: "/data/a" }], 422, "INVALID_PATCH"],
    ["json", [{ op: "test", path: "/data/a", value: "2" }], 422, "INVALID_PATCH"],
    ["json", [{ op: "remove", path: "/data/z" }], 422, "INVALID_PATCH"],
    ["json", [{ op: "remove", path: "" }], 422, "INVALID_PATCH"],
    ["json", [{ op: "copy", from: "", path: "/data/z" }], 422, "INVALID_PATCH"],
    ["json", add("/binaryData/z"), 422, "INVALID_PATCH"],
    ["json", add("/metadata/finalizers/7"), 422, "INVALID_PATCH"],
    ["json", add("/metadata/finalizers/x"), 422, "INVALID_PATCH"],
    ["merge", [], 400, "MALFORMED_PATCH"],
    ["merge", "x" as never, 400, "MALFORMED_PATCH"],
    ["strategic", [], 400, "MALFORMED_PATCH"],
    ["strategic", { data: { $retainKeys: "a" } }, 400, "MALFORMED_PATCH"],
    ["strategic", { data: { $retainKeys: ["a"], b: "1" } }, 400, "MALFORMED_PATCH"],
    ["strategic", { metadata: { $deleteFromPrimitiveList: [] } }, 400, "MALFORMED_PATCH"],
    ["strategic", { metadata: { $setElementOrder: [] } }, 400, "MALFORMED_PATCH"],
    ["strategic", { metadata: { finalizers: [["a"]] } }, 500, "INVALID_PATCH"],
    ["strategic", { metadata: { "$setElementOrder/finalizers": "a" } }, 500, "MALFORMED_PATCH"],
    ["strategic", { data: { $patch: "merge" } }, 500, "INVALID_PATCH"],
    ["strategic", { metadata: { ownerReferences: [{ name: "a" }] } }, 500, "INVALID_PATCH"],
    ["strategic", { metadata: { ownerReferences: [{ uid: "1", $patch: "merge" }] } }, 500, "INVALID_PATCH"],
    ["strategic", { metadata: { finalizers: ["b"], "$setElementOrder/finalizers": ["a"] } }, 500, "INVALID_PATCH"],
  ];

  it("for the same reason", async () => {
    const owner = { apiVersion: "v1", kind: "Pod", name: "p", uid: "1" };
    const metadataWithLists = { finalizers: ["example.com/a"], ownerReferences: [owner] };
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: metadataWithLists, data: { a: "1" } };
    const path = await createAt("/api/v1/{ns}/configmaps", object);
    for (const [kind, patch, status, code] of bad) {
      const outcome = await bothWays(path, kind, patch);
      expect({ patch, status: outcome.status, code: outcome.code }).toEqual({ patch, status, code });
    }
  });

  it("when a strategic merge patch is for a kind that is not built in", async () => {
    const path = await createAt(documents, { apiVersion: `${group}/v1`, kind: "Document" });
    const outcome = await bothWays(path, "strategic", { spec: {} });
    expect(outcome).toMatchObject({ status: 415, code: "STRATEGIC_MERGE_UNSUPPORTED" });
  });
});
