import { describe, expect, it, test } from "vitest";
import { formatIni, type IniSection, parseIni } from "./ini-file.ts";

const read = (text: string) =>
  Object.fromEntries(parseIni(text, "a file").map(({ name, values }) => [name, Object.fromEntries(values)]));

describe("an INI file", () => {
  test.each<[string, string, Record<string, Record<string, string>>]>([
    ["may be empty", "", {}],
    ["may hold nothing but comments", "# one\n  ; two\n\n", {}],
    ["has keys in sections", "[A]\nx = 1\ny=2\n[B]\nx=3", { A: { x: "1", y: "2" }, B: { x: "3" } }],
    ["has one section of what is said in two places", "[A]\nx=1\n[B]\n[A]\ny=2", { A: { x: "1", y: "2" }, B: {} }],
    ["means the last of two values", "[A]\nx=1\n[A]\nx=2", { A: { x: "2" } }],
    ["may be spaced in odd ways", "\uFEFF\r\n [ A ] \r\n\tx\t=\t 1 2 \r\n", { A: { x: "1 2" } }],
    ["may use colons", "[A]\nx: 1\nurl = http://h:1", { A: { x: "1", url: "http://h:1" } }],
    ["may have equals signs in values", "[A]\nx = a=b", { A: { x: "a=b" } }],
    ["may have comments after what they are about", "[A] ; why\nx = 1 # why", { A: { x: "1" } }],
    ["keeps what is quoted", `[A]\nx = "a # b" ; c\ny = 'a;b'\nz = \`"q"\``, { A: { x: "a # b", y: "a;b", z: '"q"' } }],
    ["knows escapes within double quotes", String.raw`[A]` + "\n" + String.raw`x = "a\"b\\c"`, { A: { x: 'a"b\\c' } }],
    ["may go on in the next line", "[A]\nx = a,\\\n  b\ny = 1", { A: { x: "a,b", y: "1" } }],
    ["may leave a value empty", "[A]\nx =", { A: { x: "" } }],
    ["may begin without a section", "x = 1\n[A]\ny = 2", { A: { y: "2" } }],
  ])("%s", (_, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test.each([
    ["a section that does not end", "\n[A\nx=1", "a file, line 2: a section is not written as [name]"],
    ["a section without a name", "[]", "a file, line 1: a section is not written as [name]"],
    ["a key alone", "[A]\nsecret-word", "a file, line 2: this is neither a section nor a key with its value"],
    ["a value alone", "[A]\n= secret-word", "a file, line 2: this is neither a section nor a key with its value"],
    ["an open quote", '[A]\nx = "secret-word', "a file, line 2: a quote is not closed"],
  ])("with %s is refused by its line, without a word of what stands there", (_, text, message) => {
    const refusal = expect.objectContaining({ code: "CLOUD_CONFIG_INVALID", message });
    expect(() => parseIni(text, "a file")).toThrow(refusal);
  });

  it("is written with its equals signs below each other, and a line between sections", () => {
    const sections: IniSection[] = [
      { name: "A", values: new Map([["x", "1"]]) },
      {
        name: "B",
        values: new Map([
          ["long-name", "2"],
          ["y", ""],
        ]),
      },
    ];
    expect(formatIni(sections)).toBe("[A]\nx = 1\n\n[B]\nlong-name = 2\ny         = \n");
  });

  test.each(["plain", "a # b", "a;b", 'a "b"', "it's", " spaced ", String.raw`back\slash`, "`"])(
    "is read as it was written: %j",
    (value) => {
      expect(read(formatIni([{ name: "A", values: new Map([["x", value]]) }]))).toEqual({ A: { x: value } });
    },
  );
});
