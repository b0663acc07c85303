import type { ConditionStatus, OperatorCondition } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { type UnionRule, unionOf, unionRules } from "./condition-union.ts";

const nowMs = Date.UTC(2026, 0, 1, 12);
const [degraded, progressing, available, upgradeable, evaluation] = unionRules as [
  UnionRule,
  UnionRule,
  UnionRule,
  UnionRule,
  UnionRule,
];

function condition(type: string, status: ConditionStatus, rest: Partial<OperatorCondition> = {}): OperatorCondition {
  return { type, status, lastTransitionTime: "2026-01-01T00:00:00Z", ...rest };
}

/** `True/Foo_SyncError: FooDegraded: no`. */
function told(rule: UnionRule, conditions: readonly OperatorCondition[], atMs = nowMs): string {
  const { status, reason, message } = unionOf(rule, conditions, atMs).condition;
  return `${status}/${reason}: ${message ?? ""}`;
}

describe("of no condition", () => {
  test.each(unionRules)("$type is not known", (rule) => {
    expect(told(rule, [condition("Other", "True")])).toBe("Unknown/NoData: ");
  });
});

describe("when all is well", () => {
  test.each<[UnionRule, ConditionStatus]>([
    [degraded, "False"],
    [progressing, "False"],
    [available, "True"],
    [upgradeable, "True"],
    [evaluation, "False"],
  ])("$type is %s, with what the controllers say", (rule, good) => {
    const quiet = condition(`A${rule.type}`, good);
    expect(told(rule, [quiet])).toBe(`${good}/AsExpected: All is well`);
    const talking = condition(`B${rule.type}`, good, { message: "fine" });
    expect(told(rule, [quiet, talking])).toBe(`${good}/AsExpected: B${rule.type}: fine`);
  });
});

describe("when something is not well", () => {
  test.each<[UnionRule, ConditionStatus, ConditionStatus]>([
    [degraded, "False", "True"],
    [progressing, "False", "True"],
    [available, "True", "False"],
    [upgradeable, "True", "False"],
    [evaluation, "False", "True"],
  ])("$type says so, with whose it is", (rule, good, bad) => {
    const conditions = [
      condition(`B${rule.type}`, bad, { reason: "SyncError", message: "one\ntwo\none" }),
      condition(`Good${rule.type}`, good, { message: "fine" }),
      condition(`A${rule.type}`, bad, { message: "zero" }),
    ];
    expect(told(rule, conditions)).toBe(
      `${bad}/A::B_SyncError: A${rule.type}: zero\nB${rule.type}: one\nB${rule.type}: two`,
    );
  });

  it("what nobody knows of decides only alone", () => {
    const unknown = condition("AAvailable", "Unknown", { reason: "Lost", message: "?" });
    expect(told(available, [unknown, condition("BAvailable", "True")])).toBe("Unknown/A_Lost: AAvailable: ?");
    expect(told(available, [unknown, condition("BAvailable", "False", { reason: "Down" })])).toBe(
      "False/A_Lost::B_Down: AAvailable: ?",
    );
  });

  it("reasons are sorted as bytes, and the bare type has no owner", () => {
    const conditions = [condition("aDegraded", "True"), condition("ZDegraded", "True"), condition("Degraded", "True")];
    expect(unionOf(degraded, conditions, nowMs).condition.reason).toBe("::Z::a");
  });
});

describe("a degradation", () => {
  const since = (lastTransitionTime: string, type = "FooDegraded", status: ConditionStatus = "True") =>
    condition(type, status, { lastTransitionTime, reason: "R", message: "no" });

  it("counts after two minutes, and says when that will be", () => {
    const conditions = [since("2026-01-01T11:58:30Z")];
    expect(told(degraded, conditions)).toBe("False/AsExpected: FooDegraded: no");
    const { dueMs = 0 } = unionOf(degraded, conditions, nowMs);
    expect(dueMs - nowMs).toBe(30_001);
    expect(told(degraded, conditions, dueMs - 1)).toMatch(/^False/);
    expect(told(degraded, conditions, dueMs)).toBe("True/Foo_R: FooDegraded: no");
    expect(unionOf(degraded, conditions, dueMs).dueMs).toBeUndefined();
  });

  it("brings along those that are younger once one counts", () => {
    const conditions = [since("2026-01-01T11:00:00Z", "AUnknownDegraded", "Unknown"), since("2026-01-01T11:59:59Z")];
    expect(told(degraded, conditions)).toMatch(/^True\/AUnknown_R::Foo_R:/);
  });

  it("whose time cannot be read counts at once", () => {
    expect(told(degraded, [since("long ago")])).toMatch(/^True/);
  });
});

it("only degradations wait", () => {
  const young = { lastTransitionTime: "2026-01-01T11:59:59Z" };
  expect(told(progressing, [condition("AProgressing", "True", young)])).toMatch(/^True/);
  expect(told(available, [condition("AAvailable", "False", young)])).toMatch(/^False/);
});
