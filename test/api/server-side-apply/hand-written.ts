import { expect } from "vitest";
import { type Json, part } from "./json-parts.ts";
import type { Step } from "./written-object.ts";

/** Writes to one object, and what is expected of some of them, beyond that the server and ours agree. */
export interface Case {
  readonly title: string;
  readonly steps: readonly (Step & { readonly expected?: object })[];
}

const labels = { app: "a" };
const template = (...containers: Json[]) => ({ metadata: { labels }, spec: { containers } });
const web = (fields: Json = {}) => ({ name: "web", image: "a", ...fields });
const deployment = (fields: Json = {}) => ({
  spec: { paused: true, replicas: 0, selector: { matchLabels: labels }, template: template(web()), ...fields },
});

export const deploymentCases: readonly Case[] = [
  {
    title: "a field that somebody else changed is a conflict, unless it is forced",
    steps: [
      { create: deployment(), by: "kubectl" },
      {
        apply: { spec: { replicas: 2, paused: true } },
        by: "ann",
        expected: { message: 'Apply failed with 1 conflict: conflict with "kubectl" using apps/v1: .spec.replicas' },
      },
      { apply: { spec: { replicas: 0, paused: true } }, by: "ann", expected: { status: 200 } },
      { apply: { spec: { replicas: 0, paused: true } }, by: "bob", expected: { status: 200 } },
      {
        apply: { spec: { replicas: 1, paused: false } },
        by: "carl",
        expected: { message: expect.stringMatching(/^Apply failed with 6 conflicts: /) },
      },
      { apply: { spec: { paused: true, minReadySeconds: 5 } }, by: "carl", force: true, expected: { status: 200 } },
      { apply: { spec: { replicas: 1 } }, by: "carl", force: true, expected: { status: 200 } },
      {
        apply: { spec: { replicas: 0 } },
        by: "ann",
        expected: { message: 'Apply failed with 1 conflict: conflict with "carl": .spec.replicas' },
      },
    ],
  },
  {
    title: "an applier that leaves containers, ports and variables out removes those that are its own",
    steps: [
      {
        apply: deployment({
          template: template(web({ env: [{ name: "A", value: "1" }, { name: "B" }] }), { name: "side", image: "b" }),
        }),
        by: "ann",
      },
      {
        apply: { spec: { template: template({ name: "side", env: [{ name: "C", value: "3" }] }) } },
        by: "bob",
        expected: { status: 200 },
      },
      { apply: deployment({ template: template(web({ env: [{ name: "B", value: "2" }] })) }), by: "ann" },
      { apply: { spec: { template: { spec: { containers: [{ name: "side", env: [] }] } } } }, by: "bob" },
      { apply: { spec: { template: { spec: { containers: null } } } }, by: "bob" },
      { apply: {}, by: "bob", expected: { status: 200 } },
    ],
  },
  {
    title: "the status belongs to whoever writes it through the subresource",
    steps: [
      { create: { ...deployment(), status: { replicas: 3 } }, by: "ann" },
      {
        apply: { status: { conditions: [{ type: "Mine", status: "True" }] }, spec: { replicas: 5 } },
        by: "bob",
        through: "status",
      },
      {
        patch: { metadata: { labels: { a: "1" }, annotations: { a: "1" } }, status: { collisionCount: 1 } },
        by: "carl",
        through: "status",
      },
      { apply: { status: { conditions: [{ type: "Mine", status: "False" }] } }, by: "dora", through: "status" },
      {
        apply: { status: { collisionCount: 2 }, metadata: { annotations: { b: "1" } } },
        by: "bob",
        force: true,
        through: "status",
      },
      { apply: { status: { collisionCount: 7 } }, by: "ann" },
    ],
  },
];

const port = (number: number, protocol: string | undefined, fields: Json = {}) => ({
  port: number,
  ...(protocol && { protocol }),
  ...fields,
});
const ports = (...list: Json[]) => ({ spec: { ports: list } });

export const serviceCases: readonly Case[] = [
  {
    title: "two protocols on one port are two items, and TCP is meant where none is given",
    steps: [
      {
        apply: ports(port(53, "UDP", { name: "dns" }), port(53, undefined, { name: "dns-tcp" })),
        by: "ann",
        expected: { status: 201 },
      },
      { apply: ports(port(53, "TCP", { targetPort: 5353 })), by: "bob", force: true, expected: { status: 200 } },
      { apply: ports(port(53, "UDP", { name: "dns" })), by: "ann" },
      { apply: ports(port(53, undefined, { name: "dns-tcp", targetPort: 53 })), by: "carl" },
      { apply: ports(port(53, "TCP", { name: "again" })), by: "ann", force: true },
      { patch: ports(port(53, "TCP", { name: "only" })), by: "dora" },
    ],
  },
  {
    title: "what is there twice, or has no key, is refused",
    steps: [
      {
        apply: ports(port(80, undefined, { name: "a" }), port(80, "TCP", { name: "b" })),
        by: "ann",
        expected: { message: expect.stringMatching(/^failed to create typed patch object/) },
      },
      { apply: ports({ name: "a" }), by: "ann", expected: { status: 422 } },
      {
        apply: ports(port(80, undefined, { name: "a" }), port(80, "UDP", { name: "b" })),
        by: "ann",
        expected: { status: 201 },
      },
      { apply: { spec: { ports: [null] } }, by: "ann", expected: { status: 500 } },
      { apply: { spec: { ports: ["http"] } }, by: "ann", expected: { status: 500 } },
      { apply: { spec: { ports: { a: 1 } } }, by: "ann", expected: { status: 500 } },
    ],
  },
];

const annotation = "kubectl.kubernetes.io/last-applied-configuration";
const lastApplied = (data: Json) => ({
  [annotation]: JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { annotations: {} }, data }),
});
const updaters = Array.from({ length: 13 }, (_, position) => ({
  patch: { data: { [`k${position}`]: "1", shared: String(position) } },
  by: `updater-${String(position).padStart(2, "0")}`,
}));
const entry = (fields: Json) => ({
  manager: "x",
  operation: "Apply",
  apiVersion: "v1",
  fieldsType: "FieldsV1",
  ...fields,
});
const sending =
  (managedFields: unknown, data: Json = {}) =>
  (live: Json) => ({
    ...live,
    data: { ...part(live, "data"), ...data },
    metadata: { ...part(live, "metadata"), managedFields },
  });

export const configMapCases: readonly Case[] = [
  {
    title: "what was written before anybody kept count belongs to before-first-apply",
    steps: [
      { create: { data: { a: "1", b: "2" }, metadata: { labels } }, by: "ann" },
      { update: sending([], { c: "3" }), by: "ann" },
      { patch: { data: { d: "4" } }, by: "bob" },
      {
        apply: { data: { a: "9" } },
        by: "ann",
        expected: { message: 'Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.a' },
      },
      { apply: { data: { a: "1" } }, by: "ann", expected: { status: 200 } },
      { update: sending([{}]), by: "ann" },
    ],
  },
  {
    title: "a client may correct the managed fields, but not break them",
    steps: [
      { create: { data: { a: "1", b: "2" } }, by: "ann" },
      { update: sending([entry({ fieldsV1: { "f:data": { "f:a": {}, ".": {} } } })], { c: "1" }), by: "ann" },
      { apply: { data: { b: "2" } }, by: "x" },
      { update: sending([entry({ operation: "Other", fieldsV1: {} })], { d: "1" }), by: "ann" },
      { update: sending([entry({ fieldsV1: { "q:new": {}, "f:data": { "f:a": {} } } })], { e: "1" }), by: "ann" },
      { update: sending([entry({ fieldsV1: {} })], { f: "1" }), by: "ann" },
      { update: sending(undefined, { g: "1" }), by: "bob" },
    ],
  },
  {
    title: "a field of which no owner is known stays, unless it goes with what it is in",
    steps: [
      { apply: { data: { a: "1", b: "1" } }, by: "x" },
      { patch: { data: { c: "1" } }, by: "bob" },
      { update: sending([entry({ fieldsV1: { "f:data": { "f:a": {}, "f:b": {} } } })]), by: "bob" },
      { apply: { data: { a: "1" } }, by: "x" },
      { apply: {}, by: "x" },
    ],
  },
  {
    title: "kubectl takes over what it applied from the client's side",
    steps: [
      {
        create: { data: { a: "1", b: "2" }, metadata: { annotations: lastApplied({ a: "1", b: "2" }) } },
        by: "kubectl-client-side-apply",
      },
      { patch: { data: { b: "9" } }, by: "ann" },
      { apply: { data: { a: "5" } }, by: "bob", expected: { status: 409 } },
      { apply: { data: { a: "5", b: "5" } }, by: "kubectl", expected: { status: 409 } },
      {
        apply: { data: { a: "5<&>" }, metadata: { annotations: { note: "n" } } },
        by: "kubectl",
        expected: { status: 200 },
      },
      {
        apply: { data: { a: "6" }, metadata: { annotations: { [annotation]: "mine" } } },
        by: "kubectl",
        force: true,
        expected: { status: 200 },
      },
      { apply: { data: { a: "7" } }, by: "kubectl", expected: { status: 200 } },
    ],
  },
  {
    title: "of more than ten updaters the oldest are folded into one",
    steps: [{ apply: { data: { x: "1" } }, by: "ann" }, ...updaters],
  },
  {
    title: "names and values are written as the server writes them",
    steps: [
      {
        apply: {
          data: { "a.b": "1", A: "2", _z: "3", "0": "4", "10": "5", "2": "6", __proto__x: "7", constructor: "8" },
        },
        by: "ann",
      },
      { apply: { metadata: { annotations: { "example.com/x": "<&>", "z/y": "\u2028" } } }, by: 'quo"ted <&>' },
      { apply: { metadata: { annotations: { "example.com/x": "other" } } }, by: "bob", expected: { status: 409 } },
      { apply: { metadata: { finalizers: ["example.com/a", "example.com/b"] } }, by: "bob" },
      { apply: { metadata: { finalizers: ["example.com/b", "example.com/a", "example.com/c"] } }, by: "carl" },
      { apply: { metadata: { finalizers: ["example.com/a"] } }, by: "bob" },
      { apply: { metadata: { finalizers: [] } }, by: "carl" },
    ],
  },
  {
    title: "empty and null maps are owned as they are given",
    steps: [
      { apply: { data: {}, metadata: { labels: {} } }, by: "ann" },
      { apply: { data: null }, by: "bob" },
      { apply: { data: { a: "1" } }, by: "carl" },
      { apply: { data: { a: null } }, by: "dora", force: true },
      { apply: { data: {} }, by: "carl" },
      { patch: { data: null }, by: "emil" },
    ],
  },
  {
    title: "what makes no sense is refused in the server's words",
    steps: [
      { apply: { data: { a: 1 } }, by: "ann", expected: { status: 500 } },
      { apply: { data: { a: { b: 1, a: ["x"] } } }, by: "ann", expected: { status: 500 } },
      { apply: { data: "text" }, by: "ann", expected: { status: 500 } },
      { apply: { data: ["text", 1.5, true, null] }, by: "ann", expected: { status: 500 } },
      { apply: { immutable: "yes" }, by: "ann", expected: { status: 500 } },
      { apply: { immutable: { a: 1 } }, by: "ann", expected: { status: 500 } },
      { apply: { spec: {} }, by: "ann", expected: { status: 500 } },
      { apply: { kind: "Secret" }, by: "ann", expected: { status: 400 } },
      { apply: { apiVersion: "v2" }, by: "ann", expected: { status: 400 } },
      { apply: { metadata: { managedFields: [] } }, by: "ann", expected: { status: 400 } },
      { apply: { metadata: { generation: "1" } }, by: "ann", expected: { status: 500 } },
      { apply: { metadata: { finalizers: ["example.com/a", "example.com/a"] } }, by: "ann", expected: { status: 500 } },
      { apply: { metadata: { finalizers: [["a"]] } }, by: "ann", expected: { status: 500 } },
      { apply: { metadata: { finalizers: [{ a: 1 }] } }, by: "ann", expected: { status: 500 } },
      { apply: { metadata: { finalizers: [null] } }, by: "ann", expected: { status: 500 } },
      { apply: { metadata: { finalizers: "a" } }, by: "ann", expected: { status: 500 } },
      { apply: { metadata: { ownerReferences: [{ name: "a" }] } }, by: "ann", expected: { status: 422 } },
    ],
  },
];

const podSpec = (fields: Json = {}) => ({
  spec: {
    automountServiceAccountToken: false,
    containers: [web({ env: [{ name: "A", value: "1" }], volumeMounts: [{ name: "data", mountPath: "/a" }] })],
    volumes: [{ name: "data", emptyDir: {} }],
    nodeSelector: { no: "where" },
    ...fields,
  },
});

export const podCases: readonly Case[] = [
  {
    title: "a Pod is created, labelled, tolerates more and gets another image",
    steps: [
      { create: podSpec({ tolerations: [{ key: "a", operator: "Exists" }] }), by: "ann" },
      {
        apply: { metadata: { labels }, spec: { containers: [{ name: "web", image: "b" }] } },
        by: "bob",
        expected: { status: 409 },
      },
      {
        apply: { metadata: { labels }, spec: { containers: [{ name: "web", image: "b" }] } },
        by: "bob",
        force: true,
        expected: { status: 200 },
      },
      { apply: { metadata: { labels: { b: "1" } } }, by: "bob", expected: { status: 422 } },
      { apply: { metadata: { labels: { b: "1" } }, spec: { containers: [{ name: "web", image: "b" }] } }, by: "bob" },
      { patch: { spec: { activeDeadlineSeconds: 100 } }, by: "carl" },
      {
        apply: { status: { message: "m", conditions: [{ type: "Mine", status: "True" }] } },
        by: "kubelet",
        through: "status",
      },
      {
        apply: { status: { reason: "r", conditions: [{ type: "Yours", status: "True" }] } },
        by: "kubelet",
        through: "status",
      },
    ],
  },
  {
    title: "a Pod is applied by two, who share a volume and a variable",
    steps: [
      { apply: podSpec(), by: "ann", expected: { status: 201 } },
      { apply: podSpec(), by: "bob", expected: { status: 200 } },
      { apply: { metadata: { annotations: { a: "1" } } }, by: "ann", expected: { status: 200 } },
      {
        apply: podSpec({ containers: [web({ env: [{ name: "A", value: "2" }] })] }),
        by: "bob",
        expected: { status: 422 },
      },
    ],
  },
];

const spec = (fields: Json) => ({ spec: fields });

export const parcelCases: readonly Case[] = [
  {
    title: "sets, keyed lists, atomic lists and maps change hands each in its own way",
    steps: [
      {
        apply: spec({
          tags: ["a", "b"],
          whole: ["x"],
          ports: [{ port: 1, note: "n" }],
          sealed: { a: "1" },
          labels: { a: "1" },
        }),
        by: "ann",
      },
      {
        apply: spec({
          tags: ["b", "c"],
          ports: [
            { port: 1, protocol: "UDP" },
            { port: 1, tags: ["t"] },
          ],
          labels: { b: "2" },
        }),
        by: "bob",
      },
      { apply: spec({ whole: ["x", "y"] }), by: "bob", expected: { status: 409 } },
      { apply: spec({ sealed: { b: "2" } }), by: "bob", expected: { status: 409 } },
      { apply: spec({ sealed: { b: "2" }, tags: ["c"] }), by: "bob", force: true },
      { apply: spec({ tags: ["a"], ports: [{ port: 1 }] }), by: "ann" },
      { apply: spec({}), by: "ann" },
      { apply: spec({}), by: "bob" },
    ],
  },
  {
    title: "numbers, fractions and values of either type are written as JSON has them",
    steps: [
      { apply: spec({ numbers: [3, 1, 2, -1, 10, 1_000_000_000_000], ratio: 1e-7, size: "50%" }), by: "ann" },
      { apply: spec({ numbers: [10], size: 7, ratio: 1e21 }), by: "bob", expected: { status: 409 } },
      { apply: spec({ numbers: [10], size: 7 }), by: "bob", force: true },
      { apply: spec({ numbers: [1] }), by: "ann" },
    ],
  },
  {
    title: "items of the same key that an update brought in are one value to an applier",
    steps: [
      { apply: spec({ ports: [{ port: 1, note: "a" }, { port: 2 }] }), by: "ann" },
      { apply: spec({ tags: ["a", "a"] }), by: "ann", expected: { status: 500 } },
      { apply: spec({ ports: [{ port: 1 }, { port: 1, protocol: "TCP" }] }), by: "ann", expected: { status: 500 } },
      { apply: spec({ ports: [{ note: "a" }] }), by: "ann", expected: { status: 422 } },
      { apply: spec({ stages: [{ children: [] }] }), by: "ann", expected: { status: 500 } },
    ],
  },
  {
    title: "a null is kept, and refused where the schema does not allow it",
    steps: [
      { apply: spec({ count: 1, maybe: null, labels: { a: "1" } }), by: "ann", expected: { status: 201 } },
      { apply: spec({ count: null }), by: "ann", expected: { status: 422 } },
      { apply: spec({ labels: null, maybe: "x" }), by: "ann", expected: { status: 422 } },
      { apply: spec({ labels: null }), by: "bob" },
      { apply: spec({ maybe: "x" }), by: "bob", expected: { status: 409 } },
      { patch: spec({ maybe: null, count: null }), by: "carl" },
    ],
  },
  {
    title: "the order of a list follows what is applied",
    steps: [
      { apply: spec({ stages: ["a", "b", "c", "d"].map((name) => ({ name })) }), by: "ann" },
      { apply: spec({ stages: ["d", "x", "b"].map((name) => ({ name })) }), by: "bob" },
      { apply: spec({ stages: ["c", "y", "x", "a"].map((name) => ({ name })) }), by: "carl" },
      { apply: spec({ stages: ["b", "d"].map((name) => ({ name })) }), by: "bob" },
      { apply: spec({ stages: ["z", "a"].map((name) => ({ name })) }), by: "ann" },
    ],
  },
  {
    title: "unknown fields are owned where they are preserved, and refused elsewhere",
    steps: [
      {
        apply: spec({
          free: { a: { b: { c: 1 } }, list: [1, { x: 1 }] },
          mixed: { known: "k", other: { deep: true } },
        }),
        by: "ann",
      },
      { apply: spec({ free: { a: { b: 2 } } }), by: "bob", expected: { status: 409 } },
      { apply: spec({ free: { a: { b: 2 } } }), by: "bob", force: true },
      { apply: spec({ free: { list: [1] }, mixed: { other: { deep: true, more: 1 } } }), by: "ann" },
      { apply: spec({ unknown: 1 }), by: "ann", expected: { status: 500 } },
      { apply: { top: 1 }, by: "ann", expected: { status: 500 } },
      { apply: spec({ count: "1" }), by: "ann", expected: { status: 500 } },
      { apply: spec({ count: { a: 1 } }), by: "ann", expected: { status: 500 } },
      { apply: spec({ ratio: true }), by: "ann", expected: { status: 500 } },
      { apply: spec({ flag: 1 }), by: "ann", expected: { status: 500 } },
      { apply: spec({ struct: [] }), by: "ann", expected: { status: 500 } },
      { apply: spec({ struct: { inner: { c: "x" } } }), by: "ann", expected: { status: 500 } },
      { apply: spec({ whole: [1] }), by: "ann", expected: { status: 500 } },
    ],
  },
  {
    title: "the status is reset on the object, and the rest on the status",
    steps: [
      { apply: { ...spec({ count: 1 }), status: { phase: "p" } }, by: "ann" },
      {
        apply: {
          ...spec({ count: 2 }),
          status: { phase: "p", conditions: [{ type: "A", status: "True" }] },
          metadata: { labels },
        },
        by: "bob",
        through: "status",
      },
      {
        apply: { status: { phase: "q" } },
        by: "carl",
        through: "status",
        expected: {
          message: 'Apply failed with 1 conflict: conflict with "bob" with subresource "status": .status.phase',
        },
      },
      { patch: { status: { seen: 1 } }, by: "carl", through: "status" },
      {
        apply: { status: { seen: 2 } },
        by: "bob",
        through: "status",
        expected: {
          message: expect.stringContaining(
            'Apply failed with 1 conflict: conflict with "carl" with subresource "status" using',
          ),
        },
      },
      { update: (live) => ({ ...live, status: { phase: "z" }, spec: { count: 3 } }), by: "dora", through: "status" },
      { update: (live) => ({ ...live, status: { phase: "ignored" }, spec: { count: 4 } }), by: "dora" },
    ],
  },
];
