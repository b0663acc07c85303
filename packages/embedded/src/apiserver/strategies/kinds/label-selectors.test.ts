import { describe, expect, it } from "vitest";
import { labelSelectorErrors, selectorMatcher } from "./label-selectors.ts";

const fields = (selector: object) => labelSelectorErrors(selector as never, "s").map(({ field }) => field);

describe("a label selector", () => {
  it.each([
    [{ matchLabels: { a: "b" } }, []],
    [{ matchLabels: { "a b": "c d" } }, ["s.matchLabels", "s.matchLabels"]],
    [{ matchExpressions: [{ key: "a", operator: "In" }] }, ["s.matchExpressions[0].values"]],
    [{ matchExpressions: [{ key: "a", operator: "Exists", values: ["b"] }] }, ["s.matchExpressions[0].values"]],
    [{ matchExpressions: [{ key: "a", operator: "Is" }] }, ["s.matchExpressions[0].operator"]],
    [{ matchExpressions: [{ key: "a", operator: "In", values: ["b c"] }] }, ["s.matchExpressions[0].values[0]"]],
  ])("%j is wrong in %j", (selector, where) => {
    expect(fields(selector)).toEqual(where);
  });

  it("selects nothing when it is not there, and is none when it is wrong", () => {
    expect(selectorMatcher(undefined)?.isNothing()).toBe(true);
    expect(selectorMatcher(null)?.isNothing()).toBe(true);
    expect(selectorMatcher({ matchExpressions: [{ key: "a", operator: "Is" }] })).toBeUndefined();
  });
});
