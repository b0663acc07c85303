import { describe, expect, test } from "vitest";
import {
  areConditionsEqual,
  type ConditionShape,
  findCondition,
  isConditionEqual,
  isConditionFalse,
  isConditionTrue,
  isConditionUnknown,
  removeCondition,
  setCondition,
} from "./index.ts";

const then = "2026-01-01T00:00:00Z";
const now = "2026-01-31T15:04:05Z";
const nowMs = Date.parse(now);

function condition(type: string, status: string, more: Partial<ConditionShape> = {}): ConditionShape {
  return { type, status, reason: "AsExpected", message: "All is well", lastTransitionTime: then, ...more };
}

describe("setting a condition", () => {
  test("adds it at the end, with the time", () => {
    const before = [condition("Available", "True")];
    const after = setCondition(before, { type: "Degraded", status: "False", reason: "AsExpected" }, nowMs);
    expect(after).toEqual([
      ...before,
      { type: "Degraded", status: "False", reason: "AsExpected", lastTransitionTime: now },
    ]);
  });

  test("begins the list where there is none", () => {
    expect(setCondition(undefined, { type: "A", status: "True" }, nowMs)).toEqual([
      { type: "A", status: "True", lastTransitionTime: now },
    ]);
  });

  test("moves the time when the status changes", () => {
    const [after] = setCondition([condition("A", "True")], { type: "A", status: "False", reason: "Broken" }, nowMs);
    expect(after).toEqual({ type: "A", status: "False", reason: "Broken", lastTransitionTime: now });
  });

  test("keeps the time when only the reason, message or generation changes", () => {
    const changed = { type: "A", status: "True", reason: "Other", message: "Other", observedGeneration: 2 };
    const [after] = setCondition([condition("A", "True")], changed, nowMs);
    expect(after).toEqual({ ...changed, lastTransitionTime: then });
  });

  test("gives a time to a condition that never had one", () => {
    const before: ConditionShape[] = [{ type: "A", status: "True" }];
    expect(setCondition(before, { type: "A", status: "True" }, nowMs)[0]?.lastTransitionTime).toBe(now);
  });

  test("keeps the order, the other conditions and the list that it was given", () => {
    const before = [condition("A", "True"), condition("B", "True"), condition("C", "True")];
    const copy = structuredClone(before);
    const after = setCondition(before, { type: "B", status: "False" }, nowMs);
    expect(after.map(({ type }) => type)).toEqual(["A", "B", "C"]);
    expect(after[0]).toBe(before[0]);
    expect(before).toEqual(copy);
  });

  test("keeps the type of the API's own conditions", () => {
    interface PodCondition extends ConditionShape {
      lastProbeTime: string;
    }
    const after: PodCondition[] = setCondition<PodCondition>(
      [],
      { type: "Ready", status: "True", lastProbeTime: now },
      nowMs,
    );
    expect(after[0]?.lastProbeTime).toBe(now);
  });
});

describe("looking at conditions", () => {
  const conditions = [condition("Yes", "True"), condition("No", "False"), condition("Perhaps", "Unknown")];

  test.each([
    ["Yes", true, false, false],
    ["No", false, true, false],
    ["Perhaps", false, false, true],
    ["Absent", false, false, false],
  ])("%s is true: %s, false: %s, unknown: %s", (type, isTrue, isFalse, isUnknown) => {
    expect(isConditionTrue(conditions, type)).toBe(isTrue);
    expect(isConditionFalse(conditions, type)).toBe(isFalse);
    expect(isConditionUnknown(conditions, type)).toBe(isUnknown);
  });

  test("finds one by its type", () => {
    expect(findCondition(conditions, "No")).toBe(conditions[1]);
    expect(findCondition(conditions, "Absent")).toBeUndefined();
    expect(findCondition(undefined, "No")).toBeUndefined();
  });

  test("removes one by its type", () => {
    expect(removeCondition(conditions, "No")).toEqual([conditions[0], conditions[2]]);
    expect(removeCondition(undefined, "No")).toEqual([]);
  });
});

describe("comparing conditions", () => {
  test("passes over the times", () => {
    expect(isConditionEqual(condition("A", "True"), condition("A", "True", { lastTransitionTime: now }))).toBe(true);
  });

  test.each<Partial<ConditionShape>>([
    { type: "B" },
    { status: "False" },
    { reason: "Other" },
    { message: "Other" },
    { observedGeneration: 1 },
  ])("notices %j", (difference) => {
    expect(isConditionEqual(condition("A", "True"), condition("A", "True", difference))).toBe(false);
  });

  test("takes an absent field for an undefined one", () => {
    expect(
      isConditionEqual<ConditionShape>({ type: "A", status: "True" }, { type: "A", status: "True", reason: undefined }),
    ).toBe(true);
  });

  test("passes over the order of lists", () => {
    const [a, b] = [condition("A", "True"), condition("B", "True")];
    expect(areConditionsEqual([a, b], [b, a])).toBe(true);
    expect(areConditionsEqual([a, b], [a])).toBe(false);
    expect(areConditionsEqual([a], [condition("A", "False")])).toBe(false);
    expect(areConditionsEqual([a], [b])).toBe(false);
    expect(areConditionsEqual(undefined, [])).toBe(true);
  });
});
