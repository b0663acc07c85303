import {
  configMap,
  create,
  deployment,
  deployments,
  each,
  get,
  jsonPatch,
  maps,
  mergePatch,
  patch,
  pod,
  pods,
  rows,
  strategicPatch,
  update,
} from "../builders.ts";
import type { Sequence, Step } from "../sequence.ts";

const first = create(maps, configMap("a", { data: { a: "1", b: "2" } }, { labels: { app: "shop" } }));
const long = (length: number) => "a".repeat(length);

export const updateSequences: readonly Sequence[] = rows(
  "an update",
  {
    "of everything": update(`${maps}/a`, configMap("a", { data: { c: "3" } })),
    "that changes nothing": update(
      `${maps}/a`,
      configMap("a", { data: { a: "1", b: "2" } }, { labels: { app: "shop" } }),
    ),
    "of its own version": update(`${maps}/a`, configMap("a", {}, { resourceVersion: "{0.metadata.resourceVersion}" })),
    "of another version": update(`${maps}/a`, configMap("a", {}, { resourceVersion: "1" })),
    "of an old version": [
      update(`${maps}/a`, configMap("a", { data: { c: "3" } })),
      update(`${maps}/a`, configMap("a", {}, { resourceVersion: "{0.metadata.resourceVersion}" })),
    ],
    "of version 0": update(`${maps}/a`, configMap("a", {}, { resourceVersion: "0" })),
    "of a version that is none": update(`${maps}/a`, configMap("a", {}, { resourceVersion: "x" })),
    "with its uid": update(`${maps}/a`, configMap("a", {}, { uid: "{0.metadata.uid}" })),
    "with another uid": update(`${maps}/a`, configMap("a", {}, { uid: "5d1cf4e5-3f3c-4d2b-9f3a-1a2b3c4d5e6f" })),
    "with another name": update(`${maps}/a`, configMap("b")),
    "without a name": update(`${maps}/a`, { metadata: {} }),
    "with another namespace": update(`${maps}/a`, configMap("a", {}, { namespace: "other" })),
    "with its namespace": update(`${maps}/a`, configMap("a", {}, { namespace: "{ns}" })),
    "with another creation time": update(
      `${maps}/a`,
      configMap("a", {}, { creationTimestamp: "2001-01-01T00:00:00Z" }),
    ),
    "with no creation time": update(`${maps}/a`, configMap("a", {}, { creationTimestamp: null })),
    "with a deletion time": update(`${maps}/a`, configMap("a", {}, { deletionTimestamp: "2001-01-01T00:00:00Z" })),
    "with a generation": update(`${maps}/a`, configMap("a", {}, { generation: 5 })),
    "with a label that is none": update(`${maps}/a`, configMap("a", {}, { labels: { "a b": "x" } })),
    "with no managed fields": update(`${maps}/a`, configMap("a", {}, { managedFields: [] })),
    "with an empty entry of managed fields": update(`${maps}/a`, configMap("a", {}, { managedFields: [{}] })),
    "of what is not there": update(`${maps}/z`, configMap("z")),
    "of what is not there, with a version": update(`${maps}/z`, configMap("z", {}, { resourceVersion: "1" })),
    "of what is not there, with a uid": update(`${maps}/z`, configMap("z", {}, { uid: "u" })),
    "as a dry run": [update(`${maps}/a?dryRun=All`, configMap("a", { data: { c: "3" } })), get(`${maps}/a`)],
    "by another manager": update(`${maps}/a?fieldManager=bob`, configMap("a", { data: { a: "9", b: "2" } })),
    "by a manager that is none": update(`${maps}/a?fieldManager=a%0Ab`, configMap("a")),
    "with unknown fields": update(`${maps}/a`, configMap("a", { unknown: 1 })),
    "with unknown fields, strictly": update(`${maps}/a?fieldValidation=Strict`, configMap("a", { unknown: 1 })),
    "of another kind": update(`${maps}/a`, { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } }),
    "of nothing": update(`${maps}/a`, ""),
    "of a list": update(`${maps}/a`, []),
    "without a name in the path": update(maps, configMap("a")),
    "that makes it immutable": [
      update(`${maps}/a`, configMap("a", { data: { a: "1" }, immutable: true })),
      update(`${maps}/a`, configMap("a", { data: { a: "2" }, immutable: true })),
      update(`${maps}/a`, configMap("a", { data: { a: "1" }, immutable: false })),
      update(`${maps}/a`, configMap("a", { data: { a: "1" }, immutable: true }, { labels: { x: "y" } })),
    ],
    "of a collection": { send: `PUT ${maps}`, body: configMap("a") },
    "with text": { send: `PUT ${maps}/a`, body: "a", type: "text/plain" },
    "in no namespace": update("/api/v1/namespaces/nowhere-{id}/configmaps/a", configMap("a")),
    "with another name in a namespace that is none": update(
      "/api/v1/namespaces/nowhere-{id}/configmaps/a",
      configMap("b"),
    ),
    "with an option that is none": update(`${maps}/a?dryRun=x`, configMap("a")),
    "that adds an owner": update(
      `${maps}/a`,
      configMap("a", {}, { ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p", uid: "u" }] }),
    ),
    "of finalizers": [
      update(`${maps}/a`, configMap("a", {}, { finalizers: ["example.test/x"] })),
      { send: `DELETE ${maps}/a` },
      update(`${maps}/a`, configMap("a", {}, { finalizers: ["example.test/x", "example.test/y"] })),
      update(`${maps}/a`, configMap("a", { data: { c: "3" } }, { finalizers: ["example.test/x"] })),
      update(`${maps}/a`, configMap("a")),
      get(`${maps}/a`),
    ],
  } satisfies Record<string, Step | readonly Step[]>,
  [first],
);

const jsonPatches: Readonly<Record<string, unknown>> = {
  add: [{ op: "add", path: "/data/c", value: "3" }],
  "add over what is there": [{ op: "add", path: "/data/a", value: "3" }],
  "add where nothing is": [{ op: "add", path: "/nothing/here", value: "3" }],
  "add of an unknown field": [{ op: "add", path: "/unknown", value: 1 }],
  "add of a number": [{ op: "add", path: "/data/c", value: 3 }],
  remove: [{ op: "remove", path: "/data/a" }],
  "remove of nothing": [{ op: "remove", path: "/data/z" }],
  replace: [{ op: "replace", path: "/data/a", value: "3" }],
  "replace of nothing": [{ op: "replace", path: "/data/z", value: "3" }],
  "replace of the whole": [{ op: "replace", path: "", value: configMap("a", { data: { z: "9" } }) }],
  move: [{ op: "move", from: "/data/a", path: "/data/c" }],
  "move of nothing": [{ op: "move", from: "/data/z", path: "/data/c" }],
  copy: [{ op: "copy", from: "/data/a", path: "/data/c" }],
  "copy of nothing": [{ op: "copy", from: "/data/z", path: "/data/c" }],
  test: [{ op: "test", path: "/data/a", value: "1" }],
  "test that fails": [{ op: "test", path: "/data/a", value: "2" }],
  "test of nothing": [{ op: "test", path: "/data/z", value: null }],
  "an operation that is none": [{ op: "other", path: "/data/a" }],
  "no operation": [{ path: "/data/a" }],
  "no path": [{ op: "add", value: 1 }],
  "no value": [{ op: "add", path: "/data/c" }],
  "a path without a slash": [{ op: "add", path: "data/c", value: "3" }],
  "a path with escapes": [{ op: "add", path: "/data/c~1d~0e", value: "3" }],
  nothing: [],
  "an object": { op: "add", path: "/data/c", value: "3" },
  "a text": '"x"',
  null: "null",
  "no JSON": "{",
  "of its name": [{ op: "replace", path: "/metadata/name", value: "b" }],
  "of its namespace": [{ op: "replace", path: "/metadata/namespace", value: "other" }],
  "of its uid": [{ op: "replace", path: "/metadata/uid", value: "x" }],
  "of its version": [{ op: "replace", path: "/metadata/resourceVersion", value: "1" }],
  "of its kind": [{ op: "replace", path: "/kind", value: "Secret" }],
  "of its apiVersion": [{ op: "replace", path: "/apiVersion", value: "v2" }],
  "without its kind": [{ op: "remove", path: "/kind" }],
  "of managed fields": [{ op: "remove", path: "/metadata/managedFields" }],
  "of managed fields to nothing": [{ op: "replace", path: "/metadata/managedFields", value: [{}] }],
  "of too many operations": Array.from({ length: 10_001 }, () => ({ op: "test", path: "/data/a", value: "1" })),
  "into a list": [
    { op: "add", path: "/metadata/finalizers", value: ["example.test/a"] },
    { op: "add", path: "/metadata/finalizers/-", value: "example.test/b" },
    { op: "add", path: "/metadata/finalizers/0", value: "example.test/c" },
  ],
  "into a list too far": [
    { op: "add", path: "/metadata/finalizers", value: [] },
    { op: "add", path: "/metadata/finalizers/3", value: "example.test/c" },
  ],
};

const mergePatches: Readonly<Record<string, unknown>> = {
  "of a field": { data: { c: "3" } },
  "that removes a field": { data: { a: null } },
  "that removes what is not there": { data: { z: null } },
  "that removes all": { data: null },
  "of nothing": {},
  "of a list": [],
  "of null": "null",
  "of a text": '"x"',
  "of a number": "1",
  "of no JSON": "{",
  "of an empty body": "",
  "of a wrong type": { data: "x" },
  "of a number for a text": { data: { a: 1 } },
  "of an unknown field": { unknown: 1 },
  "of the version that it has": { metadata: { resourceVersion: "{0.metadata.resourceVersion}" }, data: { c: "3" } },
  "of another version": { metadata: { resourceVersion: "1" }, data: { c: "3" } },
  "of another name": { metadata: { name: "b" } },
  "of another uid": { metadata: { uid: "x" } },
  "of its own uid": { metadata: { uid: "{0.metadata.uid}" }, data: { c: "3" } },
  "of another kind": { kind: "Secret" },
  "of another apiVersion": { apiVersion: "v2" },
  "of no name": { metadata: { name: null } },
  "of no metadata": { metadata: null },
  "of labels that are none": { metadata: { labels: { "a b": "c" } } },
  "of a label": { metadata: { labels: { app: "other", new: "1" } } },
  "of a key twice": '{"data":{"a":"1","a":"2"}}',
  "of managed fields": { metadata: { managedFields: [{}] } },
  "of a creation time": { metadata: { creationTimestamp: "2001-01-01T00:00:00Z" } },
  "of bytes that are none": { binaryData: { x: "bad!" } },
  "of __proto__": '{"data":{"__proto__":"x"}}',
  "of __proto__ above": '{"__proto__":{"polluted":"x"}}',
};

const types = [
  "application/json",
  "text/plain",
  "",
  "application/merge-patch+json; charset=utf-8",
  "application/apply-patch+json",
  "application/apply-patch+yaml",
  "application/apply-patch+cbor",
];

const queries = [
  "dryRun=All",
  "dryRun=x",
  "fieldManager=me",
  `fieldManager=${long(129)}`,
  "fieldManager=a%09b",
  "fieldValidation=Strict",
  "fieldValidation=Ignore",
  "fieldValidation=x",
  "force=true",
  "force=false",
  "force=x",
];

export const patchSequences: readonly Sequence[] = [
  ...Object.entries(jsonPatches).map(([what, body]) => ({
    name: `a JSON patch: ${what}`,
    steps: [first, patch(`${maps}/a`, jsonPatch, body)],
  })),
  ...[mergePatch, strategicPatch].flatMap((type) =>
    Object.entries(mergePatches).map(([what, body]) => ({
      name: `a ${type.includes("strategic") ? "strategic" : "merge"} patch ${what}`,
      steps: [first, patch(`${maps}/a`, type, body)],
    })),
  ),
  ...each("a patch as", types, (type) => [first, { send: `PATCH ${maps}/a`, type, body: { data: { c: "3" } } }]),
  ...[jsonPatch, mergePatch, strategicPatch].flatMap((type) =>
    each(`a patch of ${type} with`, queries, (query) => {
      const body = type === jsonPatch ? [{ op: "add", path: "/unknown", value: 1 }] : { unknown: 1 };
      return [first, patch(`${maps}/a?${query}`, type, body), get(`${maps}/a`)];
    }),
  ),
  ...rows(
    "a patch",
    {
      "of what is not there": [jsonPatch, mergePatch, strategicPatch].map((type) =>
        patch(`${maps}/z`, type, type === jsonPatch ? [] : {}),
      ),
      "of a collection": patch(maps, mergePatch, {}),
      "in no namespace": patch("/api/v1/namespaces/nowhere-{id}/configmaps/a", mergePatch, {}),
      "by others": [
        patch(`${maps}/a?fieldManager=bob`, mergePatch, { data: { b: "9" } }),
        patch(`${maps}/a?fieldManager=eve`, mergePatch, { data: { b: "10", e: "1" } }),
        patch(`${maps}/a?fieldManager=bob`, mergePatch, { data: { e: null } }),
      ],
      "with a version that is old": [
        patch(`${maps}/a`, mergePatch, { data: { x: "1" } }),
        patch(`${maps}/a`, mergePatch, {
          metadata: { resourceVersion: "{0.metadata.resourceVersion}" },
          data: { x: "2" },
        }),
        patch(`${maps}/a`, jsonPatch, [
          { op: "replace", path: "/metadata/resourceVersion", value: "{0.metadata.resourceVersion}" },
          { op: "add", path: "/data/x", value: "3" },
        ]),
      ],
    },
    [first],
  ),
];

const containers = "$setElementOrder/containers";
const strategicPatches: Readonly<Record<string, unknown>> = {
  "adds a container": {
    spec: { template: { spec: { containers: [{ name: "side", image: "example.test/side:1" }] } } },
  },
  "changes a container": {
    spec: { template: { spec: { containers: [{ name: "main", image: "example.test/app:2" }] } } },
  },
  "removes a container": {
    spec: {
      template: {
        spec: {
          containers: [
            { name: "main", $patch: "delete" },
            { name: "b", image: "x" },
          ],
        },
      },
    },
  },
  "replaces all containers": {
    spec: { template: { spec: { containers: [{ $patch: "replace" }, { name: "b", image: "x" }] } } },
  },
  "orders containers": {
    spec: {
      template: { spec: { [containers]: [{ name: "b" }, { name: "main" }], containers: [{ name: "b", image: "x" }] } },
    },
  },
  "names no container": { spec: { template: { spec: { containers: [{ image: "x" }] } } } },
  "retains keys": { spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } } },
  "has a directive that is none": { spec: { $patch: "other" } },
  "replaces a map": { spec: { template: { metadata: { labels: { $patch: "replace", app: "a" } } } } },
  "deletes from a list of texts": { metadata: { "$deleteFromPrimitiveList/finalizers": ["example.test/x"] } },
  "adds to a list of texts": { metadata: { finalizers: ["example.test/x"] } },
  "has a list for an object": { spec: [] },
  "has an object for a list": { spec: { template: { spec: { containers: {} } } } },
  "changes the selector": { spec: { selector: { matchLabels: { app: "other" } } } },
  scales: { spec: { replicas: 3 } },
  "scales to a text": { spec: { replicas: "3" } },
  "scales to less than nothing": { spec: { replicas: -1 } },
  "changes the status": { status: { replicas: 7 } },
};

const misspelt = { spec: { template: { spec: { containers: [{ name: "main", imagee: "x" }] } }, z: 1, a: 2 } };
const pulled = { name: "main", $setElementOrder: null };

export const strategicSequences: readonly Sequence[] = [
  ...rows(
    "a strategic patch, validated:",
    {
      "unknown fields are warned of": patch(`${deployments}/a?fieldValidation=Warn`, strategicPatch, misspelt),
      "unknown fields are refused": patch(`${deployments}/a?fieldValidation=Strict`, strategicPatch, misspelt),
      "unknown fields are ignored": patch(`${deployments}/a?fieldValidation=Ignore`, strategicPatch, misspelt),
      "an order that is none": patch(`${deployments}/a`, strategicPatch, {
        spec: { template: { spec: { "$setElementOrder/containers": null } } },
      }),
      "an order of nothing": patch(`${deployments}/a`, strategicPatch, {
        spec: { template: { spec: { containers: [pulled] } } },
      }),
      "half an amount": patch(`${deployments}/a`, strategicPatch, {
        spec: { strategy: { rollingUpdate: { maxSurge: 1.5 } } },
      }),
      "half an amount, merged": patch(`${deployments}/a`, mergePatch, {
        spec: { strategy: { rollingUpdate: { maxSurge: 1.5 } } },
      }),
    },
    [create(deployments, deployment("a"))],
  ),
  ...rows("what cannot be read", {
    "half an amount": create(deployments, deployment("a", { strategy: { rollingUpdate: { maxSurge: 1.5 } } })),
    "an amount after another type": create(
      pods,
      pod("a", {}, { containers: [{ name: 1, resources: { limits: { cpu: "x y" } } }] }),
    ),
    "an amount before another type": create(
      pods,
      pod("a", {}, { containers: [{ resources: { limits: { cpu: "x y" } }, stdin: 1 }] }),
    ),
  }),
  ...Object.entries(strategicPatches).map(([what, body]) => ({
    name: `a strategic patch that ${what}`,
    steps: [create(deployments, deployment("a")), patch(`${deployments}/a`, strategicPatch, body)],
  })),
  ...rows(
    "a status",
    {
      "is updated": update(`${pods}/a/status`, {
        ...pod("a", { labels: { x: "y" } }),
        status: { phase: "Running", message: "m" },
      }),
      "is patched": patch(`${pods}/a/status`, mergePatch, { status: { phase: "Running" }, spec: { nodeName: "x" } }),
      "is not written with the rest": patch(`${pods}/a`, mergePatch, { status: { phase: "Running" } }),
      "has conditions that are merged": [
        patch(`${pods}/a/status`, strategicPatch, { status: { conditions: [{ type: "Ready", status: "True" }] } }),
        patch(`${pods}/a/status`, strategicPatch, { status: { conditions: [{ type: "Other", status: "False" }] } }),
        patch(`${pods}/a/status`, strategicPatch, { status: { conditions: [{ type: "Ready", $patch: "delete" }] } }),
      ],
      "of a resource without one": patch(`${maps}/a/status`, mergePatch, {}),
      "is applied": patch(`${pods}/a/status?fieldManager=kubelet`, "application/apply-patch+yaml", {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "a" },
        status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
      }),
    },
    [create(pods, pod("a"))],
  ),
];
