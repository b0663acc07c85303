import {
  apply,
  create,
  each,
  type Fields,
  get,
  mergePatch,
  patch,
  remove,
  rows,
  strategicPatch,
  update,
} from "../builders.ts";
import type { Sequence, Step } from "../sequence.ts";

const namespaces = "/api/v1/namespaces";
const nodes = "/api/v1/nodes";
const object = (kind: string, more: Fields = {}, metadata: Fields = {}) => ({
  apiVersion: "v1",
  kind,
  metadata: { name: "{id}x", ...metadata },
  ...more,
});
const space = `${namespaces}/{id}x`;
const own = `${nodes}/{id}x`;

export const spaces: readonly Sequence[] = [
  ...rows("a Namespace with", {
    little: create(namespaces, object("Namespace")),
    labels: create(namespaces, object("Namespace", {}, { labels: { a: "b" } })),
    "another name in its label": create(
      namespaces,
      object("Namespace", {}, { labels: { "kubernetes.io/metadata.name": "other" } }),
    ),
    "a bad label": create(namespaces, object("Namespace", {}, { labels: { a: "b c" } })),
    "a finalizer": create(namespaces, object("Namespace", { spec: { finalizers: ["example.test/f"] } })),
    "a bad finalizer": create(namespaces, object("Namespace", { spec: { finalizers: ["mine"] } })),
    "a status": create(namespaces, object("Namespace", { status: { phase: "Terminating" } })),
  }),
  ...each("a Namespace named like", ["a.b", "A", "a_b", "x".repeat(64)], (name) => [
    create(namespaces, object("Namespace", {}, { name: `{id}${name}` })),
  ]),
  ...rows(
    "a Namespace that",
    {
      "gets a label": patch(space, mergePatch, { metadata: { labels: { a: "b" } } }),
      "loses its label": patch(space, mergePatch, { metadata: { labels: null } }),
      "gets another label": patch(space, mergePatch, { metadata: { labels: { "kubernetes.io/metadata.name": "o" } } }),
      "gets a bad label": patch(space, mergePatch, { metadata: { labels: { a: "b c" } } }),
      "gets a finalizer": patch(space, mergePatch, { spec: { finalizers: ["example.test/f", "kubernetes"] } }),
      "is told of its status": patch(`${space}/status`, mergePatch, {
        status: { conditions: [{ type: "A", status: "True" }] },
      }),
      "is told that it goes": patch(`${space}/status`, mergePatch, { status: { phase: "Terminating" } }),
      "is finalized": update(`${space}/finalize`, object("Namespace", { spec: { finalizers: ["example.test/f"] } })),
      "is finalized badly": update(`${space}/finalize`, object("Namespace", { spec: { finalizers: ["mine"] } })),
      "is applied": apply(space, object("Namespace", {}, { labels: { a: "b" } })),
      "is replaced": update(space, object("Namespace")),
    },
    [create(namespaces, object("Namespace"))],
  ),
];

const taint = { key: "a", value: "b", effect: "NoSchedule" };
const swap = (capacity: number) => ({
  status: {
    nodeInfo: {
      machineID: "",
      systemUUID: "",
      bootID: "",
      kernelVersion: "",
      osImage: "",
      containerRuntimeVersion: "",
      kubeletVersion: "",
      kubeProxyVersion: "",
      operatingSystem: "",
      architecture: "",
      swap: { capacity },
    },
  },
});
const specs: Readonly<Record<string, Fields>> = {
  little: {},
  "a provider": { spec: { providerID: "p://1", unschedulable: false } },
  "no Pods": { spec: { unschedulable: true } },
  "one block": { spec: { podCIDR: "10.0.0.0/24" } },
  "one block in the list": { spec: { podCIDRs: ["10.0.0.0/24"] } },
  "two blocks": { spec: { podCIDRs: ["10.0.0.0/24", "fd00::/64"] } },
  "two blocks of a family": { spec: { podCIDRs: ["10.0.0.0/24", "10.0.1.0/24"] } },
  "three blocks": { spec: { podCIDRs: ["10.0.0.0/24", "10.0.1.0/24", "fd00::/64"] } },
  "different blocks": { spec: { podCIDR: "10.0.0.0/24", podCIDRs: ["10.0.1.0/24", "fd00::/64"] } },
  "a block that is none": { spec: { podCIDR: "10.0.0.0" } },
  "a block of too much": { spec: { podCIDR: "10.0.0.0/33" } },
  "a block of an address": { spec: { podCIDR: "10.0.0.1/24" } },
  "a block of zeros": { spec: { podCIDR: "010.0.0.0/24" } },
  "a mapped block": { spec: { podCIDR: "::ffff:10.0.0.0/120" } },
  "an old id": { spec: { externalID: "x" } },
  "an old configuration": {
    spec: { configSource: { configMap: { name: "a", namespace: "b", kubeletConfigKey: "c" } } },
  },
  taints: { spec: { taints: [taint, { key: "c", effect: "NoExecute" }] } },
  "a taint twice": { spec: { taints: [taint, { ...taint, value: "c" }] } },
  "bad taints": { spec: { taints: [{ key: "a b", value: "c d", effect: "Own" }, { key: "a" }] } },
  resources: { status: { capacity: { cpu: "4", memory: "1024Mi", "example.test/gpu": 1 } } },
  "resources it may give": { status: { capacity: { cpu: "4" }, allocatable: { cpu: "3500m" } } },
  "resources in parts": { status: { capacity: { pods: "1.5", cpu: "0.0001" } } },
  "negative resources": { status: { capacity: { cpu: "-1" } } },
  "a status": {
    status: {
      addresses: [{ type: "InternalIP", address: "10.0.0.1" }],
      conditions: [{ type: "Ready", status: "True" }],
      images: [{ names: ["a"], sizeBytes: 0 }],
    },
  },
  swap: swap(5),
  "no swap": swap(0),
  features: { status: { declaredFeatures: ["A", "B"] } },
  "features in disorder": { status: { declaredFeatures: ["B", "A"] } },
  "a feature twice": { status: { declaredFeatures: ["A", "A"] } },
  "a bad feature": { status: { declaredFeatures: ["a b"] } },
};

const status = (fields: Fields): Step => patch(`${own}/status`, strategicPatch, { status: fields });

export const machines: readonly Sequence[] = [
  ...rows(
    "a Node with",
    Object.fromEntries(
      Object.entries(specs).map(([what, more]) => [what, [create(nodes, object("Node", more)), get(own)]]),
    ),
  ),
  ...each("a Node named like", ["a.b", "A"], (name) => [create(nodes, object("Node", {}, { name: `{id}${name}` }))]),
  ...rows(
    "a Node that",
    {
      "gets another provider": patch(own, mergePatch, { spec: { providerID: "p://2" } }),
      "gets another block": patch(own, mergePatch, { spec: { podCIDR: "10.1.0.0/24", podCIDRs: ["10.1.0.0/24"] } }),
      "gets a second block": patch(own, mergePatch, { spec: { podCIDRs: ["10.0.0.0/24", "fd00::/64"] } }),
      "loses its blocks": patch(own, mergePatch, { spec: { podCIDR: null, podCIDRs: null } }),
      "gets a taint": patch(own, strategicPatch, { spec: { taints: [taint] } }),
      "gets a bad taint": patch(own, strategicPatch, { spec: { taints: [{ key: "a", effect: "Own" }] } }),
      "takes no Pods": patch(own, mergePatch, { spec: { unschedulable: true } }),
      "gets an old id": patch(own, mergePatch, { spec: { externalID: "x" } }),
      "gets a status in its spec": patch(own, mergePatch, { status: { phase: "Running" } }),
      "gets a label": patch(own, mergePatch, { metadata: { labels: { a: "b" } } }),
      "is told of conditions": [
        status({ conditions: [{ type: "Ready", status: "False", reason: "A" }] }),
        status({ conditions: [{ type: "Ready", status: "True" }] }),
      ],
      "is told of addresses": status({
        addresses: [
          { type: "InternalIP", address: "10.0.0.1" },
          { type: "Hostname", address: "x" },
        ],
      }),
      "is told of an address twice": patch(`${own}/status`, mergePatch, {
        status: {
          addresses: [
            { type: "Hostname", address: "x" },
            { type: "Hostname", address: "x" },
          ],
        },
      }),
      "is told of resources": status({ capacity: { cpu: "8", "example.test/gpu": "1" } }),
      "is told of bad resources": status({ allocatable: { pods: "-0.5" } }),
      "is told of volumes": status({ volumesInUse: ["a"], volumesAttached: [{ name: "a", devicePath: "" }] }),
      "is told of another spec": patch(`${own}/status`, mergePatch, { spec: { providerID: "p://2" } }),
      "is replaced": update(own, object("Node", { spec: { providerID: "p://1", podCIDR: "10.0.0.0/24" } })),
      goes: [remove(own), get(own)],
    },
    [
      create(
        nodes,
        object("Node", { spec: { providerID: "p://1", podCIDR: "10.0.0.0/24" }, status: { capacity: { cpu: "4" } } }),
      ),
    ],
  ),
];
