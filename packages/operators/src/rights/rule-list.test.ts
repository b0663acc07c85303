import type { PolicyRule } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { mergedRules } from "./rule-list.ts";

const rule = (resource: string, verbs: string[], resourceNames?: string[]): PolicyRule => ({
  apiGroups: [""],
  resources: [resource],
  ...(resourceNames && { resourceNames }),
  verbs,
});

describe("rules put together", () => {
  it("have the verbs of one resource in one rule, those of names apart from those of all", () => {
    const merged = mergedRules([
      rule("a", ["watch", "create"]),
      rule("a", ["update"], ["x"]),
      rule("a", ["list", "watch"]),
      rule("a", ["get"], ["x"]),
    ]);
    expect(merged).toEqual([rule("a", ["list", "watch", "create"]), rule("a", ["get", "update"], ["x"])]);
  });

  it("have the names together that have the same verbs", () => {
    const merged = mergedRules([rule("a", ["get"], ["y", "z"]), rule("a", ["get"], ["x"]), rule("a", ["bind"], ["w"])]);
    expect(merged).toEqual([rule("a", ["get"], ["x", "y", "z"]), rule("a", ["bind"], ["w"])]);
  });

  it("do not give on one resource what was given on another", () => {
    const both = { apiGroups: [""], resources: ["a", "b"], verbs: ["get"] };
    expect(mergedRules([both, rule("b", ["delete"])])).toEqual([rule("a", ["get"]), rule("b", ["get", "delete"])]);
  });
});
