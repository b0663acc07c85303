import { binding, bindPath, toNode } from "../binding-builders.ts";
import { create, get, mergePatch, patch, pod, pods, rows, update } from "../builders.ts";
import type { Sequence } from "../sequence.ts";

const bindings = "/api/v1/namespaces/{ns}/bindings";
const nodes = "/api/v1/nodes";

export const bindingSequences: readonly Sequence[] = rows(
  "a Pod is bound",
  {
    "to a node": [create(bindPath, binding("a", toNode)), get(`${pods}/a`)],
    "as it was before subresources": [create(bindings, binding("a", toNode)), get(`${pods}/a`)],
    "to a node without its kind": [create(bindPath, binding("a", { name: "node-{id}" })), get(`${pods}/a`)],
    "with annotations and labels": [
      create(bindPath, binding("a", toNode, { annotations: { a: "1" }, labels: { b: "2" } })),
      get(`${pods}/a`),
    ],
    "in a dry run": [create(`${bindPath}?dryRun=All`, binding("a", toNode)), get(`${pods}/a`)],
    once: [create(bindPath, binding("a", toNode)), create(bindPath, binding("a", toNode))],
    "to nodes only": [create(bindPath, binding("a", { kind: "Pod", name: "x" }))],
    "to something": [create(bindPath, binding("a", { kind: "Node" }))],
    "to something that is known": [create(bindPath, binding("a", { kind: "Pod" }))],
    "by its own name": [create(bindPath, binding("b", toNode))],
    "by a name": [create(bindPath, { target: toNode })],
    "when it has the uid": [create(bindPath, binding("a", toNode, { uid: "wrong" }))],
    "when it has the right uid": [
      create(bindPath, binding("a", toNode, { uid: "{0.metadata.uid}" })),
      get(`${pods}/a`),
    ],
    "when it has the version": [
      create(bindPath, binding("a", toNode, { resourceVersion: "{0.metadata.resourceVersion}" })),
      get(`${pods}/a`),
    ],
    "in its namespace": [create(bindPath, binding("a", toNode, { namespace: "other" }))],
    "when it is there": [
      create(`${pods}/none/binding`, binding("none", toNode)),
      create(bindings, binding("none", toNode)),
    ],
    "when it may be": [
      create(pods, pod("gated", {}, { schedulingGates: [{ name: "example.test/wait" }] })),
      create(`${pods}/gated/binding`, binding("gated", toNode)),
    ],
    "unless it is going": [
      create(pods, pod("going", { finalizers: ["example.test/stay"] })),
      { send: `DELETE ${pods}/going` },
      create(`${pods}/going/binding`, binding("going", toNode)),
      patch(`${pods}/going`, mergePatch, { metadata: { finalizers: null } }),
    ],
    "and gets the labels of the node": [
      create(nodes, {
        metadata: {
          name: "node-{id}",
          labels: { "topology.kubernetes.io/zone": "z1", "topology.kubernetes.io/region": "r1", other: "x" },
        },
      }),
      { ...create(`${bindPath}?dryRun=All`, binding("a", toNode)), awaits: 201 },
      { send: `DELETE ${nodes}/node-{id}` },
    ],
    "by a Binding": [create(bindPath, { kind: "Pod", apiVersion: "v1", metadata: { name: "a" } })],
    "by an object": [create(bindPath, "[]")],
    "by creating it": [get(bindPath), update(bindPath, binding("a", toNode))],
    "with fields that it has": [create(`${bindPath}?fieldValidation=Strict`, { ...binding("a", toNode), spec: {} })],
  },
  [create(pods, pod("a", { labels: { app: "a" } }))],
);
