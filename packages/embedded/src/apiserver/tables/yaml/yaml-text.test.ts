import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { yamlText } from "./yaml-text.ts";

describe("YAML", () => {
  it.each([
    ["plain text", "plain text"],
    ["12", '"12"'],
    ["0x1F", '"0x1F"'],
    ["1e3", '"1e3"'],
    ["2020-01-01T00:00:00Z", '"2020-01-01T00:00:00Z"'],
    ["12:30", '"12:30"'],
    ["yes", '"yes"'],
    ["y", '"y"'],
    ["", '""'],
    ["null", '"null"'],
    ["a: b", "'a: b'"],
    ["a:b", "a:b"],
    ["it's: so", "'it''s: so'"],
    ["- a", "'- a'"],
    ["-a", "-a"],
    [" a", "' a'"],
    ["a\tb", '"a\\tb"'],
    ["a\u0001b", '"a\\x01b"'],
    ["😀", '"\\U0001F600"'],
    ["größer", "größer"],
    ["a\nb", "|-\n  a\n  b"],
    ["a\n\nb\n", "|\n  a\n\n  b"],
    [" a\nb", "|2-\n   a\n  b"],
    ["a \nb", '"a \\nb"'],
  ])("writes %j as %s", (text, written) => {
    expect(yamlText({ x: text })).toBe(`x: ${written}\n`);
  });

  it("has the keys in order, numbers by their size", () => {
    expect(yamlText({ b: 1, a10: 2, a9: 3, ".": 4 })).toBe(".: 4\na9: 3\na10: 2\nb: 1\n");
  });

  it("keeps lists as deep as their key", () => {
    const value = { a: [{ b: [1, 2], c: {} }, [], "x"], d: [[true, null]] };
    expect(yamlText(value)).toBe("a:\n- b:\n  - 1\n  - 2\n  c: {}\n- []\n- x\nd:\n- - true\n  - null\n");
  });

  it("breaks long texts where they go too far to the right", () => {
    const text = "word ".repeat(30).trim();
    const [first = "", second = ""] = yamlText({ x: text }).split("\n");
    expect(first).toBe(`x: ${"word ".repeat(16).trim()}`);
    expect(second).toMatch(/^ {2}word/);
  });

  it.each([
    ["word ".repeat(50).trim()],
    ["w: x ".repeat(50).trim()],
    ["a\tb ".repeat(50).trim()],
    ["two  gaps ".repeat(20)],
  ])("is read as what it was: %j", (text) => {
    expect(load(yamlText({ deep: [{ text }] }))).toEqual({ deep: [{ text }] });
  });
});
