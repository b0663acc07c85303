import type { PodDisruptionBudget, PodDisruptionBudgetSpec } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { at, pod, readyStatus } from "../fixtures/workload-objects.ts";
import { desiredBudgetStatus, expectedOf, failedBudgetStatus, nextRecheckMs, selectorText } from "./budget-status.ts";

const budget = (spec: PodDisruptionBudgetSpec, status: PodDisruptionBudget["status"] = {}): PodDisruptionBudget => ({
  apiVersion: "policy/v1",
  kind: "PodDisruptionBudget",
  metadata: { name: "web", generation: 2 },
  spec,
  status,
});
const pods = ["a", "b", "c"].map((name) => pod(name, {}, { status: readyStatus(0) }));

describe("how many must be healthy", () => {
  test.each<[PodDisruptionBudgetSpec, number, number]>([
    [{ minAvailable: 2 }, 3, 2],
    [{ minAvailable: "50%" }, 5, 3],
    [{ maxUnavailable: 1 }, 5, 4],
    [{ maxUnavailable: "30%" }, 5, 3],
    [{ maxUnavailable: 9 }, 5, 0],
  ])("%j: of %d, %d", (spec, expectedPods, desiredHealthy) => {
    expect(expectedOf(budget(spec), pods, 5)).toEqual({ expectedPods, desiredHealthy });
  });
});

describe("how many may be disrupted", () => {
  const expected = { expectedPods: 3, desiredHealthy: 2 };

  it("is what there is beyond what must be", () => {
    expect(desiredBudgetStatus(budget({}), pods, { expected, nowMs: 0 })).toMatchObject({
      currentHealthy: 3,
      disruptionsAllowed: 1,
      observedGeneration: 2,
      conditions: [{ type: "DisruptionAllowed", status: "True", reason: "SufficientPods" }],
    });
  });

  it("does not count what was evicted, until that is given up", () => {
    const evicted = budget({}, { disruptedPods: { a: at(100), gone: at(100) } });
    const soon = desiredBudgetStatus(evicted, pods, { expected, nowMs: 110_000 });
    expect(soon).toMatchObject({ currentHealthy: 2, disruptionsAllowed: 0, disruptedPods: { a: at(100) } });
    expect(nextRecheckMs(soon.disruptedPods ?? {}, 110_000)).toBe(110_000);
    expect(desiredBudgetStatus(evicted, pods, { expected, nowMs: 300_000 })).toMatchObject({ disruptionsAllowed: 1 });
  });

  it("is nothing when it cannot be known", () => {
    const status = failedBudgetStatus(budget({}, { disruptionsAllowed: 3, observedGeneration: 1 }), "no scale", 0);
    expect(status).toMatchObject({
      disruptionsAllowed: 0,
      conditions: [{ reason: "SyncFailed", message: "no scale" }],
    });
  });
});

it("a selector is written as Go prints it", () => {
  const matchExpressions = [{ key: "t", operator: "In" as const, values: ["x", "y"] }];
  expect(selectorText({ matchLabels: { b: "2", a: "1" }, matchExpressions })).toBe(
    "&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:t,Operator:In,Values:[x y],},},}",
  );
});
