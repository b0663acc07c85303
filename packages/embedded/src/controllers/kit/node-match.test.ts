import type { Taint, Toleration } from "@stowage/machinery";
import { describe, expect, test } from "vitest";
import { node } from "../workloads/fixtures/workload-objects.ts";
import { isNodeMeant, isTolerated } from "./node-match.ts";

const here = node("one", { zone: "a", size: "12" });
const required = (...nodeSelectorTerms: object[]) =>
  ({ nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } }) as never;
const label = (key: string, operator: string, ...values: string[]) => ({
  matchExpressions: [{ key, operator, values }],
});

describe("a node is meant", () => {
  test.each([
    ["when nothing is asked for", {}, true],
    ["by its labels", { nodeSelector: { zone: "a" } }, true],
    ["not by others", { nodeSelector: { zone: "b" } }, false],
    ["by one of several terms", { affinity: required(label("zone", "In", "b"), label("zone", "In", "a")) }, true],
    ["by a label that it lacks", { affinity: required(label("gone", "DoesNotExist")) }, true],
    ["not by a label that it may not have", { affinity: required(label("zone", "NotIn", "a")) }, false],
    ["by a number", { affinity: required(label("size", "Gt", "10")) }, true],
    ["not by a number that is no number", { affinity: required(label("zone", "Gt", "10")) }, false],
    ["not by a term that asks for nothing", { affinity: required({}) }, false],
    [
      "by its name",
      { affinity: required({ matchFields: [{ key: "metadata.name", operator: "In", values: ["one"] }] }) },
      true,
    ],
  ])("%s", (_, spec, isMeant) => {
    expect(isNodeMeant(spec, here)).toBe(isMeant);
  });
});

describe("a taint is tolerated", () => {
  const taint: Taint = { key: "own", value: "x", effect: "NoSchedule" };
  test.each<[string, Toleration, boolean]>([
    ["by key and value", { key: "own", value: "x" }, true],
    ["by the key alone", { key: "own", operator: "Exists" }, true],
    ["by whoever tolerates everything", { operator: "Exists" }, true],
    ["not by another value", { key: "own", value: "y" }, false],
    ["not by another effect", { key: "own", operator: "Exists", effect: "NoExecute" }, false],
  ])("%s", (_, toleration, tolerated) => {
    expect(isTolerated(taint, [toleration])).toBe(tolerated);
  });
});
