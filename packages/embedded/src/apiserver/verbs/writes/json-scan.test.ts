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
    ["[".repeat(2000), "exceeded max depth"],
  ])("says of %j what Go does", (text, problem) => {
    expect(scanJson(text).problem).toBe(problem);
  });

  it.each(['{"a":[1,-2.5e3,true,null,"\\u00e9\\n"]}', " [ ] ", '"x"', JSON.stringify({ a: "x".repeat(3_000_000) })])(
    "takes what is JSON (%#)",
    (text) => {
      expect(scanJson(text)).toEqual({ problem: undefined, duplicates: [] });
    },
  );

  it("finds fields that come twice, wherever they are", () => {
    const text = '{"a":1,"b":[{"c":1,"c":2}],"a":{"d":1,"\\u0064":2}}';
    expect(scanJson(text).duplicates).toEqual(["b[0].c", "a", "a.d"]);
  });
});
