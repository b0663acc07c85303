import { describe, expect, it } from "vitest";
import { mergeOrder } from "./list-order.ts";
import { valueElement } from "./path-element.ts";

describe("a merged list", () => {
  it.each([
    ["keeps what is not applied where it was", "abcd", "", "abcd"],
    ["has what is new at its end", "ab", "xy", "abxy"],
    ["follows the order of what is applied", "abcd", "dxb", "acdxb"],
    ["takes what is new along with its neighbours", "abc", "axc", "abxc"],
    ["turns round what is applied the other way round", "abc", "cba", "cba"],
    ["has one of what is there twice", "aba", "a", "ab"],
    ["begins with what is applied when nothing was there", "", "ba", "ba"],
  ])("%s", (_title, live, applied, merged) => {
    const elements = (text: string) => text.split("").map(valueElement);
    const order = mergeOrder(elements(live), elements(applied));
    expect(order.map(({ element }) => element)).toEqual(elements(merged));
  });
});
