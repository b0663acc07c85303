import { describe, expect, it } from "vitest";
import { isClusterId, isOwned, usualMarks } from "./ownership-mark.ts";

describe("what a cluster owns", () => {
  const marks = usualMarks("mine");

  it.each([
    ["the mark of AWS", { "kubernetes.io/cluster/mine": "owned" }, true],
    ["the mark of clouds without slashes", { "kubernetes-io-cluster-mine": "owned" }, true],
    [
      "both, beside others",
      { Name: "x", "kubernetes.io/cluster/mine": "owned", "kubernetes-io-cluster-mine": "owned" },
      true,
    ],
    ["what it shares", { "kubernetes.io/cluster/mine": "shared" }, false],
    ["a longer id", { "kubernetes.io/cluster/mine2": "owned" }, false],
    ["a shorter id", { "kubernetes.io/cluster/min": "owned" }, false],
    ["another case", { "kubernetes.io/cluster/Mine": "owned" }, false],
    ["nothing at all", {}, false],
  ] as const)("is told by its tags: %s", (_, tags, expected) => {
    expect(isOwned({ tags }, marks)).toBe(expected);
  });

  it("is nothing where there are no marks to look for", () => {
    expect(isOwned({ tags: { a: "owned" } }, [])).toBe(false);
  });

  it.each(["mine-x7f2k", "a", "a.b_c-9"])("may be asked for by the id %s", (id) => {
    expect(isClusterId(id)).toBe(true);
  });

  it.each(["", "*", "mine*", "min?", "mine x", "-mine", "mine-", "a/b", "a=b", "x".repeat(64)])(
    "is not asked for by %j, which a cloud could take for more than one",
    (id) => {
      expect(isClusterId(id)).toBe(false);
    },
  );
});
