import { describe, expect, it } from "vitest";
import { scanJson } from "./json-scan.ts";

describe("a scan of JSON", () => {
  it.each([
    ["", "unexpected end of JSON input"],
    ['{"a":1', "unexpected end of JSON input"],
    ['{"a', "unexpected end of JSON input"],
    ["{a:1}", "invalid character 'a' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b":2}', "invalid character '\"' after object key:value pair"],
    ["[1 2]", "invalid character '2' after array element"],
    ["{} x", "invalid character 'x' after top-level value"],
    ["'a'", "invalid character '\\'' looking for beginning of value"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
    ["[".repeat(2000), "invalid character '[' exceeded max depth"],
  ])("says of %j what Go does", (text, problem) => {
    expect(scanJson(text).problem).toBe(problem);
  });

  it.each(['{"a":[1,-2.5e3,true,null,"\\u00e9\\n"]}', " [ ] ", '"x"', JSON.stringify({ a: "x".repeat(3_000_000) })])(
    "takes what is JSON (%#)",
    (text) => {
      expect(scanJson(text)).toMatchObject({ problem: undefined, duplicates: [] });
    },
  );

  it("keeps numbers that are not written as whole ones are, with their places", () => {
    const text = '{"a":[1,1e2],"b":{"c":1.0},"d":-7,"e":12345678901234567890}';
    expect([...scanJson(text).oddNumbers]).toEqual([
      ["a[1]", "1e2"],
      ["b.c", "1.0"],
      ["e", "12345678901234567890"],
    ]);
  });

  it("finds fields that come twice, wherever they are", () => {
    const text = '{"a":1,"b":[{"c":1,"c":2}],"a":{"d":1,"\\u0064":2}}';
    expect(scanJson(text).duplicates).toEqual(["b[0].c", "a", "a.d"]);
  });
});
