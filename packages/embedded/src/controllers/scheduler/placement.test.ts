import { describe, expect, it } from "vitest";
import { pod, state, worldOf } from "./fixtures/scheduler-objects.ts";
import { placement } from "./placement.ts";
import { filtersOf, unfitMessage } from "./unfit.ts";

const placed = (...args: Parameters<typeof placement>) => {
  const found = placement(...args);
  return "node" in found ? found.node.name : unfitMessage(found.unfit);
};

describe("a Pod", () => {
  it("goes to the only node that it fits", () => {
    expect(placed(pod("new", { cpu: "3" }), worldOf([state("small", { cpu: "2" }), state("large")]))).toBe("large");
  });

  it("says of all nodes why they are not right", () => {
    const taints = [{ key: "own", effect: "NoSchedule" as const }];
    const nodes = [state("a", { taints }), state("b", { cpu: "1" }), state("c", { cpu: "1", memory: "1Mi" })];
    expect(placed(pod("new", { cpu: "2" }), worldOf(nodes))).toBe(
      "0/3 nodes are available: 1 Insufficient memory, 1 node(s) had untolerated taint(s), 2 Insufficient cpu.",
    );
  });

  it("says what is wrong with itself, and of no node then", () => {
    const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
    const found = placement(pod("new", { volumes }), worldOf([state("a"), state("b")]));
    const unfit = "unfit" in found ? found.unfit : undefined;
    expect(unfit && unfitMessage(unfit)).toBe('0/2 nodes are available: persistentvolumeclaim "data" not found.');
    expect(unfit && [...filtersOf(unfit)]).toEqual(["VolumeRestrictions"]);
  });

  it("that names its node says of others that they were not meant", () => {
    const matchFields = [{ key: "metadata.name", operator: "In" as const, values: ["b"] }];
    const required = { nodeSelectorTerms: [{ matchFields }] };
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } };
    const nodes = [state("a"), state("b", { cpu: "1" }), state("c")];
    expect(placed(pod("new", { cpu: "2", affinity }), worldOf(nodes))).toBe(
      "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity].",
    );
  });

  it("goes to the node that it was promised, also if another is better", () => {
    const nodes = [state("a"), state("b", { pods: [pod("old", { cpu: "2" })] })];
    expect(placed(pod("new", { status: { nominatedNodeName: "b" } }), worldOf(nodes))).toBe("b");
  });

  it("does not take the room that another was promised", () => {
    const nominated = { a: [pod("urgent", { cpu: "3", priority: 10 })] };
    expect(placed(pod("new", { cpu: "2" }), worldOf([state("a")], nominated))).toContain("1 Insufficient cpu");
    expect(placed(pod("new", { cpu: "2", priority: 20 }), worldOf([state("a")], nominated))).toBe("a");
    expect(placed(pod("urgent", { cpu: "3", priority: 10 }), worldOf([state("a")], nominated))).toBe("a");
  });
});
