import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Regex } from "./regex.ts";

describe("a pattern of RE2", () => {
  it.each([
    ["^[a-z]([-a-z0-9]*[a-z0-9])?$", "my-name", true],
    ["^[a-z]([-a-z0-9]*[a-z0-9])?$", "my-name-", false],
    ["(?i)abc", "xABCx", true],
    ["(?i:a)b", "AB", false],
    ["[[:alpha:]]+[[:^digit:]]", "ab", true],
    ["^\\p{Greek}+$", "αβγ", true],
    ["^\\P{L}$", "1", true],
    ["a.c", "a\nc", false],
    ["(?s)a.c", "a\nc", true],
    ["(?m)^b$", "a\nb\nc", true],
    ["^b$", "a\nb", false],
    ["\\Aab\\z", "ab\n", false],
    ["\\bword\\b", "a word!", true],
    ["\\Bord", "word", true],
    ["x{2,3}$", "axx", true],
    ["^x{2}$", "xxx", false],
    ["^(a|b|)c$", "c", true],
    ["\\Qa.b*\\Ec", "a.b*c", true],
    ["^[^]a]$", "b", true],
    ["^[a\\-z]$", "-", true],
    ["^\\x{1F600}\\x41$", "😀A", true],
    ["^.$", "😀", true],
    ["(?P<name>a+)(?<other>b)", "aab", true],
    ["^a{,2}$", "a{,2}", true],
    ["\\_\\-\\/", "_-/", true],
    ["", "anything", true],
  ])("%j matches %j: %s", (pattern, text, matches) => {
    expect(new Regex(pattern).test(text)).toBe(matches);
  });

  it.each([
    ["(a", "missing closing ): `(a`"],
    ["a)", "unexpected ): `a)`"],
    ["[a", "missing closing ]: `[a`"],
    ["[b-a]", "invalid character class range: `b-a`"],
    ["*a", "missing argument to repetition operator: `*`"],
    ["a**", "invalid nested repetition operator: `**`"],
    ["a{3,1}", "invalid repeat count: `{3,1}`"],
    ["a{1001}", "invalid repeat count: `{1001}`"],
    ["\\8", "invalid escape sequence: `\\8`"],
    ["a\\", "trailing backslash at end of expression: ``"],
    ["(?=a)", "invalid or unsupported Perl syntax: `(?=`"],
    ["\\p{Nope}", "invalid character class range: `\\p{Nope}`"],
  ])("%j is refused: %s", (pattern, problem) => {
    expect(() => new Regex(pattern)).toThrow(`error parsing regexp: ${problem}`);
  });

  it("matches what the same pattern of JavaScript matches", () => {
    const letters = fc.constantFrom("a", "b", "c", "ab", "");
    const atoms = fc.constantFrom("a", "b", "[ab]", "[^a]", "(a|b)", "(ab?)", ".", "\\w", "^", "$");
    const marks = fc.constantFrom("", "*", "+", "?", "{2}", "{1,2}", "*?");
    const pieces = fc.tuple(atoms, marks).map(([atom, mark]) => (/^[$^]/.test(atom) ? atom : atom + mark));
    const patterns = fc.array(pieces, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));
    const texts = fc.array(letters, { maxLength: 6 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(patterns, texts, (pattern, text) => {
        const native = new RegExp(pattern, "u");
        const ours = new Regex(pattern);
        expect(ours.test(text)).toBe(native.test(text));
        expect(ours.find(text)).toBe(native.exec(text)?.[0]);
      }),
      { numRuns: 1500, seed: 7 },
    );
  });

  it("finds all that do not overlap, and at most so many", () => {
    expect(new Regex("[lo]+").findAll("hello world")).toEqual(["llo", "o", "l"]);
    expect(new Regex("l").findAll("hello", 1)).toEqual(["l"]);
    expect(new Regex("a*").findAll("baa")).toEqual(["", "aa"]);
  });

  it.each(["^(a+)+$", "^(a|aa)*$", "(x+x+)+y", "^([a-z]*)*[0-9]$", "(.*)*(.*)*z"])(
    "%j takes time linear in the text, which backtracking does not",
    (pattern) => {
      const regex = new Regex(pattern);
      // With backtracking, it would take longer than a test may.
      expect(regex.test(`${"a".repeat(200_000)}!`)).toBe(false);
    },
  );
});
