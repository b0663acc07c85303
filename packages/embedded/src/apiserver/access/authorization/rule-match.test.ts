import type { PolicyRule } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { ruleOf } from "../policy/rule-row.ts";
import type { AccessAttributes } from "./access-attributes.ts";
import { compactRules, missingRules, ruleText } from "./rule-coverage.ts";
import { ruleAllows } from "./rule-match.ts";

const user = { name: "ann", groups: [] };

/** `verb group/resource/subresource name`, with `core` for no group; or `verb /path`. */
function asked(text: string): AccessAttributes {
  const [verb = "", what = "", name = ""] = text.split(" ");
  if (what.startsWith("/")) return { isResource: false, user, verb, path: what };
  const [group = "", resource = "", subresource = ""] = what.split("/");
  const named = { resource, subresource, namespace: "", name };
  return { isResource: true, user, verb, group: group === "core" ? "" : group, ...named };
}

describe("a rule", () => {
  it.each<[string, string[], string[]]>([
    [
      "get list | core | pods",
      ["get core/pods", "list core/pods", "get core/pods x"],
      ["watch core/pods", "get /pods"],
    ],
    ["get | apps | pods", ["get apps/pods"], ["get core/pods", "get apps/pods/log"]],
    ["* | * | *", ["get core/pods", "x y/z/w v"], ["get /healthz"]],
    ["get | core | pods/log", ["get core/pods/log x"], ["get core/pods x", "get core/pods/exec x"]],
    ["get | * | */scale", ["get apps/deployments/scale", "get core/x/scale"], ["get apps/deployments", "get apps/x/y"]],
    ["get | core | pods/*", ["get core/pods/*"], ["get core/pods/log", "get core/pods"]],
    ["update | core | secrets | a b", ["update core/secrets a", "update core/secrets b"], ["update core/secrets c"]],
    ["create | core | secrets | a", [], ["create core/secrets"]],
    ["get | /healthz", ["get /healthz"], ["get /healthz/etcd", "post /healthz", "get core/healthz"]],
    ["get | /apis/*", ["get /apis/", "get /apis/apps/v1"], ["get /apis", "get /api"]],
    ["get | *", ["get /anything"], ["head /anything"]],
  ])("%s allows %j and not %j", (row, allowed, refused) => {
    const rule = ruleOf(row);
    expect(allowed.filter((text) => !ruleAllows(rule, asked(text)))).toEqual([]);
    expect(refused.filter((text) => ruleAllows(rule, asked(text)))).toEqual([]);
  });

  it("without lists allows nothing", () => {
    expect(ruleAllows({ verbs: ["*"] }, asked("get core/pods"))).toBe(false);
    expect(ruleAllows({ verbs: ["*"] }, asked("get /healthz"))).toBe(false);
  });
});

describe("what is missing of rules", () => {
  it.each<[string, string[], string[], string[]]>([
    ["nothing, of the same", ["get list | core | pods"], ["get | core | pods"], []],
    ["nothing, of less than all", ["* | * | *"], ["get | apps | deployments/scale | x"], []],
    [
      "nothing, where two rules have it together",
      ["get | core | pods", "list | core | pods"],
      ["get list | core | pods"],
      [],
    ],
    [
      "a verb",
      ["get | core | pods"],
      ["get list | core | pods"],
      ['{APIGroups:[""], Resources:["pods"], Verbs:["list"]}'],
    ],
    [
      "several verbs of one resource, in one line",
      [],
      ["get list | core apps | pods"],
      [
        '{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}',
        '{APIGroups:["apps"], Resources:["pods"], Verbs:["get" "list"]}',
      ],
    ],
    [
      "all objects, where some are held by name",
      ["get | core | secrets | a"],
      ["get | core | secrets"],
      ['{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}'],
    ],
    [
      "an object, where another one is held",
      ["get | core | secrets | a"],
      ["get | core | secrets | a b"],
      ['{APIGroups:[""], Resources:["secrets"], ResourceNames:["b"], Verbs:["get"]}'],
    ],
    ["nothing, of a part that is held of everything", ["get | * | */scale"], ["get | apps | deployments/scale"], []],
    [
      "the whole, where a part is held",
      ["get | * | */scale"],
      ["get | apps | deployments"],
      ['{APIGroups:["apps"], Resources:["deployments"], Verbs:["get"]}'],
    ],
    ["nothing, of a path below one with a star", ["get | /apis/*"], ["get | /apis/apps"], []],
    [
      "a path, each verb by itself",
      ["get | /apis"],
      ["get head post | /apis"],
      ['{NonResourceURLs:["/apis"], Verbs:["head"]}', '{NonResourceURLs:["/apis"], Verbs:["post"]}'],
    ],
  ])("is %s", (_what, held, wanted, missing) => {
    const rules = (rows: string[]): PolicyRule[] => rows.map(ruleOf);
    expect(compactRules(missingRules(rules(held), rules(wanted))).map(ruleText)).toEqual(missing);
  });
});
