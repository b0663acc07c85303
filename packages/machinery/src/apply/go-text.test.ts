import { describe, expect, it } from "vitest";
import { compareText, goQuote, goText } from "../go-text/index.ts";
import { goJson, goSyntax, goType } from "./go-text.ts";

describe("text as Go writes it", () => {
  it.each([
    ['a"b\\', String.raw`"a\"b\\"`],
    ["tab\t bell\u0007 nul\0", String.raw`"tab\t bell\a nul\x00"`],
    ["é 世 \u200b \u{10ffff}", String.raw`"é 世 \u200b \U0010ffff"`],
  ])("quotes %j", (text, expected) => {
    expect(goQuote(text)).toBe(expected);
  });

  it("writes JSON with sorted names and escaped markup", () => {
    expect(goJson({ b: [1, true, null], a: "<&>\\b\b" })).toBe(
      String.raw`{"a":"\u003c\u0026\u003e\\b\u0008","b":[1,true,null]}`,
    );
  });

  it("prints values for messages", () => {
    const value = { b: [1.5, "x"], a: null, c: 1e-7, d: 12_345_678 };
    expect(goText(value)).toBe("map[a:<nil> b:[1.5 x] c:1e-07 d:12345678]");
    expect(goSyntax({ a: ["x", 1, null] })).toBe(
      'map[string]interface {}{"a":[]interface {}{"x", 1, interface {}(nil)}}',
    );
    expect([1, 1.5, "", true, [], {}].map(goType)).toEqual([
      "int64",
      "float64",
      "string",
      "bool",
      "[]interface {}",
      "map[string]interface {}",
    ]);
  });

  it("orders as bytes do", () => {
    expect(["\u{1f600}", "\uffee", "a", "B", "", "ab"].toSorted(compareText)).toEqual([
      "",
      "B",
      "a",
      "ab",
      "\uffee",
      "\u{1f600}",
    ]);
  });
});
