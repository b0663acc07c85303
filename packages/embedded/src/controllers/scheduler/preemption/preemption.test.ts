import type { PodDisruptionBudget } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { type PodShape, pod, state, worldOf } from "../fixtures/scheduler-objects.ts";
import { placement } from "../placement.ts";
import type { NodeState } from "../snapshot/node-state.ts";
import { preemption } from "./preemption.ts";

const guard: PodDisruptionBudget = {
  apiVersion: "policy/v1",
  kind: "PodDisruptionBudget",
  metadata: { name: "guard", namespace: "shop" },
  spec: { selector: { matchLabels: { app: "guarded" } } },
  status: { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
};

/** Who goes, and from where; or why nobody does. */
function outcome(nodes: readonly NodeState[], shape: PodShape = {}, budgets: readonly PodDisruptionBudget[] = []) {
  const urgent = pod("urgent", { cpu: "3", priority: 100, ...shape });
  const world = worldOf(nodes);
  const found = placement(urgent, world);
  if ("node" in found) return `fits ${found.node.name}`;
  const answer = preemption(urgent, found.unfit, { ...world, budgets });
  if (!("chosen" in answer)) return answer.message;
  const { nodeName, victims } = answer.chosen;
  return `${nodeName}: ${victims.map(({ metadata }) => metadata.name).join(" ")}`;
}

const holding = (name: string, ...shapes: [string, PodShape][]) =>
  state(name, { pods: shapes.map(([each, shape]) => pod(each, shape)) });

describe("for a Pod that matters more", () => {
  test.each<[string, NodeState[], string]>([
    ["one goes that matters less", [holding("a", ["modest", { cpu: "3" }])], "a: modest"],
    [
      "no more go than have to",
      [holding("a", ["small", { cpu: "500m" }], ["large", { cpu: "3" }], ["tiny", { cpu: "100m" }])],
      "a: large",
    ],
    [
      "those that matter most stay",
      [holding("a", ["low", { cpu: "3" }], ["middle", { cpu: "1", priority: 50 }])],
      "a: low",
    ],
    [
      "it is from where the least important goes",
      [holding("a", ["middle", { cpu: "3", priority: 50 }]), holding("b", ["low", { cpu: "3" }])],
      "b: low",
    ],
    [
      "it is from where the fewest go",
      [holding("a", ["x", { cpu: "2" }], ["y", { cpu: "2" }]), holding("b", ["z", { cpu: "4" }])],
      "b: z",
    ],
    [
      "it is from where the newest goes",
      [
        holding("a", ["older", { cpu: "3", status: { startTime: "2026-01-01T00:00:00Z" } }]),
        holding("b", ["newer", { cpu: "3", status: { startTime: "2026-01-02T00:00:00Z" } }]),
      ],
      "b: newer",
    ],
  ])("%s", (_, nodes, expected) => {
    expect(outcome(nodes)).toBe(expected);
  });

  it("those that a budget protects stay if they can", () => {
    const guarded: PodShape = { cpu: "3", labels: { app: "guarded" } };
    const nodes = [holding("a", ["kept", guarded]), holding("b", ["loose", { cpu: "3", priority: 50 }])];
    expect(outcome(nodes, {}, [guard])).toBe("b: loose");
    expect(outcome([holding("a", ["kept", guarded])], {}, [guard])).toBe("a: kept");
    const both = holding("a", ["kept", { ...guarded, cpu: "1" }], ["loose", { cpu: "1", priority: 50 }]);
    expect(outcome([both], { cpu: "3" }, [guard])).toBe("a: loose");
  });
});

describe("nobody goes", () => {
  const head = "no new claims to deallocate, preemption:";
  const going = { metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } };
  const target = { type: "DisruptionTarget", status: "True", reason: "PreemptionByScheduler" } as const;
  test.each<[string, NodeState[], PodShape, string]>([
    [
      "when all matter as much",
      [holding("a", ["equal", { cpu: "3", priority: 100 }])],
      {},
      `${head} 0/1 nodes are available: 1 No preemption victims found for incoming pod.`,
    ],
    [
      "when it would not help",
      [holding("a", ["above", { cpu: "3", priority: 200 }], ["below", { cpu: "100m" }])],
      {},
      `${head} 0/1 nodes are available: 1 Insufficient cpu.`,
    ],
    [
      "when the node is too small",
      [holding("a", ["modest", { cpu: "3" }])],
      { cpu: "5" },
      `${head} 0/1 nodes are available: 1 Preemption is not helpful for scheduling.`,
    ],
    [
      "for one that is not to preempt",
      [holding("a", ["modest", { cpu: "3" }])],
      { preemptionPolicy: "Never" },
      `${head} not eligible due to preemptionPolicy=Never.`,
    ],
    [
      "while others are leaving for it already",
      [holding("a", ["leaving", { cpu: "3", ...going, status: { conditions: [target] } }])],
      { status: { nominatedNodeName: "a" } },
      `${head} not eligible due to a terminating pod on the nominated node.`,
    ],
    [
      "for one that is not ready to go anywhere",
      [holding("a")],
      { volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }] },
      "not found",
    ],
  ])("%s", (_, nodes, shape, expected) => {
    expect(outcome(nodes, shape)).toBe(expected);
  });
});
