import type { ModifyVolumeStatus } from "@stowage/machinery";
import { describe, expect, test } from "vitest";
import { claimOf } from "./fixtures/claims.ts";
import { modificationPlan } from "./modification-plan.ts";

interface Case {
  readonly wished?: string;
  readonly current?: string;
  readonly state?: ModifyVolumeStatus["status"];
  readonly target?: string;
  readonly hasFailed?: boolean;
}

function planOf({ wished, current, state, target, hasFailed = false }: Case) {
  const status = {
    phase: "Bound" as const,
    ...(current === undefined ? {} : { currentVolumeAttributesClassName: current }),
    ...(state === undefined ? {} : { modifyVolumeStatus: { status: state, targetVolumeAttributesClassName: target } }),
  };
  return modificationPlan(claimOf({ spec: { volumeAttributesClassName: wished }, status }), { hasFailed });
}

const begin = (className: string) => ({ kind: "modify", className, isResumed: false });
const resume = (className: string) => ({ kind: "modify", className, isResumed: true });

describe("what is to be done about a claim's class", () => {
  test.each<[string, Case, object]>([
    ["no class was ever wanted", {}, { kind: "none" }],
    ["the volume has it", { wished: "gold", current: "gold" }, { kind: "none" }],
    ["the volume has none", { wished: "gold" }, begin("gold")],
    ["the volume has another", { wished: "gold", current: "silver" }, begin("gold")],
    ["it was missing", { wished: "gold", state: "Pending" }, begin("gold")],
    ["it was impossible", { wished: "gold", state: "Infeasible", target: "gold" }, begin("gold")],
    ["another was impossible", { wished: "silver", state: "Infeasible", target: "gold" }, begin("silver")],
    [
      "the earlier one is wanted again after an impossible one",
      { wished: "silver", current: "silver", state: "Infeasible", target: "gold" },
      begin("silver"),
    ],
    ["it may be under way", { wished: "gold", state: "InProgress", target: "gold" }, resume("gold")],
    ["another may be under way", { wished: "silver", state: "InProgress", target: "gold" }, resume("gold")],
    ["it certainly failed", { wished: "gold", state: "InProgress", target: "gold", hasFailed: true }, begin("gold")],
    [
      "another certainly failed",
      { wished: "silver", state: "InProgress", target: "gold", hasFailed: true },
      begin("silver"),
    ],
    [
      "none is wanted any more, after an impossible one",
      { state: "Infeasible", target: "gold" },
      { kind: "cancelled" },
    ],
    ["none is wanted any more, after a missing one", { state: "Pending" }, { kind: "cancelled" }],
    ["none is wanted any more, and one may be under way", { state: "InProgress", target: "gold" }, resume("gold")],
    [
      "none is wanted any more, and one certainly failed",
      { state: "InProgress", target: "gold", hasFailed: true },
      resume("gold"),
    ],
  ])("when %s", (_, facts, plan) => {
    expect(planOf(facts)).toEqual(plan);
  });
});
