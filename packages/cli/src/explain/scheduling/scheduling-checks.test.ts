import { expect, it } from "vitest";
import { nodeRefusals } from "./scheduling-checks.ts";

it.each([
  [
    "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had untolerated taint(s).",
    [
      { nodes: 1, reason: "Insufficient cpu" },
      { nodes: 2, reason: "node(s) had untolerated taint(s)" },
    ],
  ],
  [
    "0/4 nodes are available: 1 node(s) had untolerated taint {a: b}, 3 node(s) didn't match Pod's node affinity/selector. preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling.",
    [
      { nodes: 1, reason: "node(s) had untolerated taint {a: b}" },
      { nodes: 3, reason: "node(s) didn't match Pod's node affinity/selector" },
    ],
  ],
  [
    "0/1 nodes are available: 1 node(s) exceed max volume count.",
    [{ nodes: 1, reason: "node(s) exceed max volume count" }],
  ],
  ['0/2 nodes are available: persistentvolumeclaim "x" not found.', []],
])("%s", (message, refusals) => {
  expect(nodeRefusals(message)).toEqual(refusals);
});
