import { describe, expect, it } from "vitest";
import { mergedRules, permissionsOf, permissionText, rulesBeyond } from "./merged-rules.ts";
import { rule } from "./role-rules.ts";

describe("rules of roles", () => {
  const rules = [
    rule("", ["pods", "secrets"], ["watch", "list"]),
    rule("apps", ["pods"], ["get"]),
    rule("", ["pods"], ["get", "list"]),
  ];

  it("are merged to one for each resource of a group, with verbs in a fixed order", () => {
    expect(mergedRules(rules)).toEqual([
      rule("", ["pods"], ["get", "list", "watch"]),
      rule("", ["secrets"], ["list", "watch"]),
      rule("apps", ["pods"], ["get"]),
    ]);
  });

  it("are less what is granted already, down to the verb", () => {
    const granted = [rule("", ["pods"], ["list", "watch"]), rule("", ["pods/status"], ["get"])];
    expect(rulesBeyond(rules, granted)).toEqual([
      rule("", ["secrets"], ["list", "watch"]),
      rule("apps", ["pods"], ["get"]),
      rule("", ["pods"], ["get"]),
    ]);
    expect(rulesBeyond(rules, rules)).toEqual([]);
  });

  it("are written one by one", () => {
    expect(permissionsOf(rules).map(permissionText)).toEqual([
      "watch pods",
      "list pods",
      "watch secrets",
      "list secrets",
      "get pods.apps",
      "get pods",
      "list pods",
    ]);
  });
});
