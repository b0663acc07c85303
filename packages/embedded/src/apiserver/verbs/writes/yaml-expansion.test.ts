import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { isExcessivelyAliased } from "./yaml-expansion.ts";

const letters = "abcdefgh".split("");

/** Each level has the one before nine times. */
function bomb(levels: number): string {
  const lines = letters.slice(0, levels).map((name, level) => {
    const items = Array.from({ length: 9 }, () => (level === 0 ? "x" : `*${letters[level - 1]}`));
    return `${name}: &${name} [${items.join(",")}]`;
  });
  return lines.join("\n");
}

describe("a document with aliases", () => {
  it.each([
    ["with a few of them", "a: &a {x: 1}\nb: *a\nc: *a", false],
    ["that goes nine times deeper twice", bomb(2), false],
    ["that goes nine times deeper eight times", bomb(8), true],
    ["that contains itself", "&a [*a]", true],
    ["with none, however long", JSON.stringify(Array.from({ length: 10_000 }, (_, n) => ({ n }))), false],
  ])("%s is read or refused", (_, text, isRefused) => {
    expect(isExcessivelyAliased(load(text))).toBe(isRefused);
  });
});
