import {
  apply,
  create,
  deployment,
  deployments,
  get,
  jsonPatch,
  mergePatch,
  patch,
  rows,
  strategicPatch,
  update,
} from "../builders.ts";
import type { Sequence, Step } from "../sequence.ts";

const apps = "/apis/apps/v1/namespaces/{ns}";
const controllers = "/api/v1/namespaces/{ns}/replicationcontrollers";

const scale = (name: string, replicas?: number, metadata: object = {}) => ({
  apiVersion: "autoscaling/v1",
  kind: "Scale",
  metadata: { name, ...metadata },
  spec: replicas === undefined ? {} : { replicas },
});

/** The parts of a deployment that every kind with a scale has. */
const template = (name: string) => deployment(name).spec;

interface Scaled {
  readonly collection: string;
  readonly object: object;
}

const scaledKinds: Readonly<Record<string, Scaled>> = {
  Deployment: { collection: deployments, object: deployment("a", { replicas: 2 }) },
  ReplicaSet: {
    collection: `${apps}/replicasets`,
    object: {
      kind: "ReplicaSet",
      apiVersion: "apps/v1",
      metadata: { name: "a" },
      spec: { replicas: 2, ...template("a") },
    },
  },
  StatefulSet: {
    collection: `${apps}/statefulsets`,
    object: {
      kind: "StatefulSet",
      apiVersion: "apps/v1",
      metadata: { name: "a" },
      spec: { serviceName: "a", replicas: 2, ...template("a") },
    },
  },
  ReplicationController: {
    collection: controllers,
    object: {
      kind: "ReplicationController",
      apiVersion: "v1",
      metadata: { name: "a" },
      spec: {
        replicas: 2,
        selector: { app: "a", tier: "b" },
        template: { ...template("a").template, metadata: { labels: { app: "a", tier: "b" } } },
      },
    },
  },
};

/** What can be done with the scale of an object `a`, and a look at the object afterwards. */
const scaleSteps = (collection: string): Readonly<Record<string, readonly Step[]>> => {
  const path = `${collection}/a/scale`;
  const whole = get(`${collection}/a`);
  return {
    "is read": [get(path)],
    "is replaced": [update(path, scale("a", 5)), whole],
    "is replaced by itself": [update(path, scale("a", 2)), whole],
    "becomes zero": [update(path, scale("a", 0)), get(path), whole],
    "becomes zero when nothing is said": [update(path, scale("a")), whole],
    "is replaced in a dry run": [update(`${path}?dryRun=All`, scale("a", 5)), whole],
    "is replaced by a named manager": [update(`${path}?fieldManager=bob`, scale("a", 5)), whole],
    "is merge patched": [patch(path, mergePatch, { spec: { replicas: 7 } }), whole],
    "is JSON patched": [patch(path, jsonPatch, [{ op: "replace", path: "/spec/replicas", value: 8 }]), whole],
    "is strategically patched": [patch(path, strategicPatch, { spec: { replicas: 9 } }), whole],
    "is applied": [apply(path, scale("a", 4), { force: true }), whole],
    "is applied against another's": [apply(path, scale("a", 4)), whole],
    "is applied with what it has": [apply(path, scale("a", 2)), whole],
    "is applied by two": [
      apply(path, scale("a", 4), { force: true }),
      apply(path, scale("a", 3), { manager: "bob" }),
      apply(path, scale("a", 3), { manager: "bob", force: true }),
      whole,
    ],
    "cannot be negative": [update(path, scale("a", -1))],
    "needs a name": [update(path, { spec: { replicas: 1 } })],
    "needs its own name": [update(path, scale("b", 1))],
    "is of its namespace": [update(path, scale("a", 1, { namespace: "other" }))],
    "has a uid": [update(path, scale("a", 1, { uid: "wrong" }))],
    "has a version": [update(path, scale("a", 1, { resourceVersion: "1" }))],
    "has a version that is a number": [update(path, scale("a", 1, { resourceVersion: "x" }))],
    "is of its kind": [update(path, { kind: "Deployment", apiVersion: "apps/v1", metadata: { name: "a" } })],
    "is of its version": [update(path, { ...scale("a", 1), apiVersion: "apps/v1beta1" })],
    "has a number": [update(path, { ...scale("a"), spec: { replicas: "3" } })],
    "has no other fields": [
      update(`${path}?fieldValidation=Strict`, { ...scale("a", 1), data: {} }),
      update(path, { ...scale("a", 1), data: {} }),
    ],
    "is not patched to nonsense": [
      patch(path, mergePatch, { spec: { replicas: "x" } }),
      patch(path, jsonPatch, [{ op: "remove", path: "/spec/none" }]),
    ],
    "is not created": [create(path, scale("a", 1))],
    "is not deleted": [{ send: `DELETE ${path}` }],
    "of nothing": [
      get(`${collection}/none/scale`),
      update(`${collection}/none/scale`, scale("none", 1)),
      patch(`${collection}/none/scale`, mergePatch, {}),
    ],
  };
};

export const scaleSequences: readonly Sequence[] = Object.entries(scaledKinds).flatMap(
  ([kind, { collection, object }]) =>
    rows(`the scale of a ${kind}`, scaleSteps(collection), [create(collection, object)]),
);

export const ownerSequences: readonly Sequence[] = rows("who owns the replicas", {
  "an applier whose number another scales": [
    apply(`${deployments}/a`, deployment("a", { replicas: 1 })),
    update(`${deployments}/a/scale`, scale("a", 3)),
    get(`${deployments}/a`),
    apply(`${deployments}/a`, deployment("a", { replicas: 1 })),
    apply(`${deployments}/a`, deployment("a")),
  ],
  "an applier of both": [
    apply(`${deployments}/a`, deployment("a", { replicas: 1 })),
    apply(`${deployments}/a/scale`, scale("a", 3)),
    get(`${deployments}/a`),
  ],
  "an applier of the scale alone": [
    apply(`${deployments}/a`, deployment("a"), { manager: "bob" }),
    apply(`${deployments}/a/scale`, scale("a", 3)),
    get(`${deployments}/a`),
  ],
});

const group = "subresources.example.test";
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const things = `/apis/${group}/v1/namespaces/{ns}/things`;

const schema = {
  type: "object",
  properties: {
    spec: { type: "object", properties: { replicas: { type: "integer" }, size: { type: "string" } } },
    status: { type: "object", properties: { replicas: { type: "integer" }, selector: { type: "string" } } },
  },
};

const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `things.${group}` },
  spec: {
    group,
    scope: "Namespaced",
    names: { plural: "things", kind: "Thing" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schema },
        subresources: {
          status: {},
          scale: {
            specReplicasPath: ".spec.replicas",
            statusReplicasPath: ".status.replicas",
            labelSelectorPath: ".status.selector",
          },
        },
      },
    ],
  },
};

export const setup: readonly Step[] = [
  create(definitions, definition),
  { ...get(`/apis/${group}/v1/things`), awaits: 200 },
];

const thing = (spec: object) => ({ apiVersion: `${group}/v1`, kind: "Thing", metadata: { name: "a" }, spec });

export const customScaleSequences: readonly Sequence[] = rows(
  "the scale of a custom resource",
  {
    ...scaleSteps(things),
    "shows its status": [
      patch(`${things}/a/status`, mergePatch, { status: { replicas: 1, selector: "app=a" } }),
      get(`${things}/a/scale`),
    ],
    "is not there without replicas": [
      patch(`${things}/a`, mergePatch, { spec: { replicas: null } }),
      get(`${things}/a/scale`),
      patch(`${things}/a/scale`, mergePatch, { metadata: { labels: { a: "b" } } }),
      update(`${things}/a/scale`, scale("a", 3)),
      get(`${things}/a`),
    ],
  },
  [create(things, thing({ replicas: 2, size: "s" }))],
);
