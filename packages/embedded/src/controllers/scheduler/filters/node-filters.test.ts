import type { Affinity, PodSpec } from "@stowage/machinery";
import { describe, expect, test } from "vitest";
import { type NodeShape, type PodShape, pod, snapshotOf, state } from "../fixtures/scheduler-objects.ts";
import { type Filter, nodeFilters } from "./index.ts";
import { nodeAffinity, nodePorts } from "./node-filters.ts";
import { nodeResourcesFit } from "./resource-filter.ts";

const refusalBy = (filter: Filter, shape: PodShape, there: NodeShape) => {
  const here = state("here", there);
  const prepared = filter.prepare(pod("new", shape), snapshotOf([here]));
  return prepared?.refusal ?? prepared?.check?.(here);
};

const tolerating = (key: string): PodShape => ({ tolerations: [{ key, operator: "Exists" }] });
const named = (...values: string[]): Affinity => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In", values }] }],
    },
  },
});

describe("by itself a node", () => {
  const taints = [{ key: "own", value: "x", effect: "NoSchedule" as const }];
  test.each<[string, PodShape, NodeShape, string | undefined]>([
    ["takes a Pod that asks for nothing special", {}, {}, undefined],
    ["that is cordoned takes none", {}, { unschedulable: true }, "node(s) were unschedulable"],
    [
      "that is cordoned takes one that does not mind",
      tolerating("node.kubernetes.io/unschedulable"),
      { unschedulable: true },
      undefined,
    ],
    ["with a taint takes none", {}, { taints }, "node(s) had untolerated taint(s)"],
    ["with a taint takes one that tolerates it", tolerating("own"), { taints }, undefined],
    [
      "that only prefers to have none takes one",
      {},
      { taints: [{ key: "own", effect: "PreferNoSchedule" as const }] },
      undefined,
    ],
    [
      "without a label that is asked for takes none",
      { nodeSelector: { disk: "fast" } },
      {},
      "node(s) didn't match Pod's node affinity/selector",
    ],
    ["with the label takes it", { nodeSelector: { disk: "fast" } }, { labels: { disk: "fast" } }, undefined],
    ["takes a Pod that names it", { affinity: named("here") }, {}, undefined],
    ["has to have enough cpu", { cpu: "5" }, {}, "Insufficient cpu"],
    ["has to have room for one more Pod", {}, { resources: { pods: "0" } }, "Too many pods"],
  ])("%s", (_, shape, there, reason) => {
    const refusals = nodeFilters.flatMap((filter) => refusalBy(filter, shape, there) ?? []);
    expect(refusals.flatMap(({ reasons }) => reasons)).toEqual(reason === undefined ? [] : [reason]);
  });

  test("need not be looked at when a Pod names others", () => {
    const prepared = nodeAffinity.prepare(pod("a", { affinity: named("there") }), snapshotOf([]));
    expect([...(prepared?.onlyNodes ?? [])]).toEqual(["there"]);
  });
});

describe("a port of the node", () => {
  const onPort = (hostPort: number, more: object = {}): Pick<PodSpec, "containers"> => ({
    containers: [{ name: "main", ports: [{ containerPort: 80, hostPort, ...more }] }],
  });
  const used = { pods: [pod("old", onPort(8080))] };
  test.each<[string, PodShape, NodeShape, boolean]>([
    ["is free", onPort(8081), used, false],
    ["is taken", onPort(8080), used, true],
    ["is another for another protocol", onPort(8080, { protocol: "UDP" }), used, false],
    ["is taken on every address", onPort(8080, { hostIP: "10.0.0.1" }), used, true],
    [
      "is another on another address",
      onPort(8080, { hostIP: "10.0.0.1" }),
      { pods: [pod("old", onPort(8080, { hostIP: "10.0.0.2" }))] },
      false,
    ],
  ])("%s", (_, shape, there, isRefused) => {
    expect(refusalBy(nodePorts, shape, there)?.isFinal).toBe(isRefused ? false : undefined);
  });
});

describe("what a Pod asks for", () => {
  const busy = { pods: [pod("old", { cpu: "3", memory: "1Gi" })] };
  const lacks = (isFinal: boolean, ...reasons: string[]) => ({ isFinal, reasons });
  test.each<[string, PodShape, object | undefined]>([
    ["is left", { cpu: "1" }, undefined],
    ["is taken by others, which might go", { cpu: "2" }, lacks(false, "Insufficient cpu")],
    ["is more than there is", { cpu: "5" }, lacks(true, "Insufficient cpu")],
    ["is too much of several", { cpu: "2", memory: "9Gi" }, lacks(true, "Insufficient cpu", "Insufficient memory")],
    [
      "is nothing that the node has",
      { containers: [{ name: "main", resources: { requests: { "example.org/gpu": "1" } } }] },
      lacks(true, "Insufficient example.org/gpu"),
    ],
  ])("%s", (_, shape, refusal) => {
    const found = refusalBy(nodeResourcesFit, shape, busy);
    expect(found && { isFinal: found.isFinal, reasons: found.reasons }).toEqual(refusal);
  });
});
