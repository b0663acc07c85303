import type { PodAffinityTerm, TopologySpreadConstraint } from "@stowage/machinery";
import { describe, expect, test } from "vitest";
import { inZone, type PodShape, pod, snapshotOf, state } from "../fixtures/scheduler-objects.ts";
import type { NodeState } from "../snapshot/node-state.ts";
import { interPodAffinity } from "./affinity-filter.ts";
import type { Filter } from "./filter.ts";
import { podTopologySpread } from "./spread-filter.ts";

const web = { labels: { app: "web" } };
const ZONE = "topology.kubernetes.io/zone";

/** The names of the nodes that the Pod may go to. */
const open = (filter: Filter, shape: PodShape, nodes: readonly NodeState[]) => {
  const prepared = filter.prepare(pod("new", shape), snapshotOf(nodes));
  return nodes.filter((each) => prepared?.check?.(each) === undefined).map(({ name }) => name);
};

describe("Pods that are to be spread", () => {
  const spread = (more: Partial<TopologySpreadConstraint> = {}) => ({
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: ZONE,
        whenUnsatisfiable: "DoNotSchedule" as const,
        labelSelector: { matchLabels: { app: "web" } },
        ...more,
      },
    ],
  });
  const going = { ...web, metadata: { deletionTimestamp: "2026-01-01T00:00:00Z", labels: { app: "web" } } };
  const elsewhere = { ...web, metadata: { namespace: "other", labels: { app: "web" } } };
  const zones = (a: PodShape[], b: PodShape[]) => [
    state("a", { ...inZone("a"), pods: a.map((shape, index) => pod(`a${index}`, shape)) }),
    state("b", { ...inZone("b"), pods: b.map((shape, index) => pod(`b${index}`, shape)) }),
  ];
  test.each<[string, Partial<TopologySpreadConstraint>, NodeState[], string[]]>([
    ["go anywhere as long as there are as many everywhere", {}, zones([web], [web]), ["a", "b"]],
    ["go where there are fewer", {}, zones([web], []), ["b"]],
    ["may be further apart if they say so", { maxSkew: 2 }, zones([web], []), ["a", "b"]],
    ["do not count others", {}, zones([{ labels: { app: "db" } }], []), ["a", "b"]],
    ["do not count those that are going", {}, zones([going], []), ["a", "b"]],
    ["do not count those of other namespaces", {}, zones([elsewhere], []), ["a", "b"]],
    ["count those of their own version alone", { matchLabelKeys: ["version"] }, zones([web], []), ["a", "b"]],
    ["count nobody when everybody is meant", { labelSelector: {} }, zones([web], []), ["a", "b"]],
    ["may ask for more places than there are", { minDomains: 3 }, zones([web], [web]), []],
    ["go nowhere where there is no such place", { topologyKey: "example.org/rack" }, zones([], []), []],
  ])("%s", (_, more, nodes, names) => {
    expect(open(podTopologySpread, { labels: { ...web.labels, version: "2" }, ...spread(more) }, nodes)).toEqual(names);
  });

  test("count only nodes that they may go to", () => {
    const nodes = [...zones([web], []), state("c", inZone("c"))];
    const affinity = { nodeSelector: { [ZONE]: "a" } };
    expect(open(podTopologySpread, { ...web, ...spread(), ...affinity }, nodes)).toContain("a");
  });
});

describe("a Pod that says whom it wants to be with", () => {
  const term = (topologyKey: string, more: Partial<PodAffinityTerm> = {}): PodAffinityTerm => ({
    labelSelector: { matchLabels: { app: "web" } },
    topologyKey,
    ...more,
  });
  const near = (...terms: PodAffinityTerm[]) => ({
    affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
  });
  const apart = (...terms: PodAffinityTerm[]) => ({
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
  });
  const HOST = "kubernetes.io/hostname";
  const nodes = [
    state("a1", { ...inZone("a"), pods: [pod("old", web)] }),
    state("a2", inZone("a")),
    state("b1", inZone("b")),
  ];
  const withOther = (shape: PodShape) => [
    state("a1", { ...inZone("a"), pods: [pod("old", shape)] }),
    state("b1", inZone("b")),
  ];
  test.each<[string, PodShape, NodeState[], string[]]>([
    ["goes to the node of the other", near(term(HOST)), nodes, ["a1"]],
    ["goes to the zone of the other", near(term(ZONE)), nodes, ["a1", "a2"]],
    ["goes nowhere when there is none", near(term(HOST, { namespaces: ["other"] })), nodes, []],
    [
      "goes anywhere when it is the first of them",
      { ...web, ...near(term(HOST, { namespaces: [] })) },
      [nodes[1]!],
      ["a2"],
    ],
    ["keeps away from the node", apart(term(HOST)), nodes, ["a2", "b1"]],
    ["keeps away from the zone", apart(term(ZONE)), nodes, ["b1"]],
    ["is kept away by others", web, withOther(apart(term(ZONE))), ["b1"]],
    ["is not kept away by those that mean others", {}, withOther(apart(term(ZONE))), ["a1", "b1"]],
    ["selects namespaces", near(term(HOST, { namespaceSelector: {} })), nodes, ["a1"]],
  ])("%s", (_, shape, all, names) => {
    expect(open(interPodAffinity, shape, all)).toEqual(names);
  });
});
