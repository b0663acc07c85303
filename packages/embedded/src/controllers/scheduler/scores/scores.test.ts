import type { PodAffinityTerm, Taint } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { inZone, type PodShape, pod, snapshotOf, state } from "../fixtures/scheduler-objects.ts";
import type { NodeState } from "../snapshot/node-state.ts";
import { bestNode } from "./index.ts";
import { balancedAllocation, leastAllocated } from "./resource-scores.ts";
import { normalized } from "./score.ts";

const web = { labels: { app: "web" } };
const best = (shape: PodShape, nodes: readonly NodeState[]) =>
  bestNode(pod("new", shape), nodes, snapshotOf(nodes))?.name;
const holding = (...shapes: PodShape[]) => ({ pods: shapes.map((shape, index) => pod(`old${index}`, shape)) });

describe("of several nodes the best", () => {
  const slow: Taint[] = [{ key: "slow", effect: "PreferNoSchedule" }];
  const fast = { matchExpressions: [{ key: "disk", operator: "In" as const, values: ["fast"] }] };
  const term: PodAffinityTerm = {
    labelSelector: { matchLabels: { app: "web" } },
    topologyKey: "kubernetes.io/hostname",
  };
  const preferring = [{ weight: 100, podAffinityTerm: term }];
  const spread = {
    maxSkew: 1,
    topologyKey: "topology.kubernetes.io/zone",
    whenUnsatisfiable: "ScheduleAnyway" as const,
    labelSelector: { matchLabels: { app: "web" } },
  };
  test.each<[string, PodShape, NodeState[], string]>([
    ["is the one with most left", {}, [state("a", holding({ cpu: "2" })), state("b")], "b"],
    ["is the one without a taint", {}, [state("a", { taints: slow }), state("b", holding({}))], "b"],
    [
      "is the one that the Pod prefers",
      {
        affinity: {
          nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: fast }] },
        },
      },
      [state("a"), state("b", { labels: { disk: "fast" }, ...holding({ cpu: "2" }) })],
      "b",
    ],
    [
      "is where a Pod is that it wants to be with",
      { affinity: { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferring } } },
      [state("a"), state("b", holding({ ...web, cpu: "1" }))],
      "b",
    ],
    [
      "is where none is that it does not want to be with",
      { affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferring } } },
      [state("a", holding({ ...web, cpu: "100m" })), state("b", holding({ cpu: "1" }))],
      "b",
    ],
    [
      "is where there are fewest of its kind",
      { ...web, topologySpreadConstraints: [spread] },
      [state("a", { ...inZone("a"), ...holding({ ...web, cpu: "100m" }) }), state("b", inZone("b"))],
      "b",
    ],
    ["is the first of equally good ones", {}, [state("b"), state("a")], "b"],
  ])("%s", (_, shape, nodes, name) => {
    expect(best(shape, nodes)).toBe(name);
  });

  it("is where there are fewest of its kind also if it does not say so", () => {
    const nodes = [state("a", holding({ ...web, cpu: "10m", memory: "1Mi" })), state("b")];
    const snapshot = { ...snapshotOf(nodes), kinOf: () => () => true };
    const tiny = pod("new", { ...web, cpu: "10m", memory: "1Mi" });
    expect(bestNode(tiny, nodes, snapshot)?.name).toBe("b");
  });
});

describe("a score", () => {
  it("is the part that would be left", () => {
    // 1 of 4 cpus and 1 of 8 GiB: 75 and 87 of a hundred.
    expect(leastAllocated.rate(pod("new"), [state("a")], snapshotOf([]))).toEqual([81]);
  });

  it("is above the middle when cpu and memory are used up more alike than before", () => {
    const crooked = state("a", holding({ cpu: "3", memory: "1Mi" }));
    const [better = 0] =
      balancedAllocation.rate(pod("x", { cpu: "1m", memory: "6Gi" }), [crooked], snapshotOf([])) ?? [];
    const [worse = 0] = balancedAllocation.rate(pod("y", { cpu: "1", memory: "1Mi" }), [crooked], snapshotOf([])) ?? [];
    expect(better).toBeGreaterThan(75);
    expect(worse).toBeLessThan(75);
  });

  it("is between nothing and a hundred", () => {
    expect(normalized([0, 5, 10], false)).toEqual([0, 50, 100]);
    expect(normalized([0, 5, 10], true)).toEqual([100, 50, 0]);
    expect(normalized([0, 0], true)).toEqual([100, 100]);
  });
});
