import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InvalidSelectorError, labelMatcherFrom, matchAllLabels, matchNoLabels, parseLabelSelector } from "./index.ts";

const key = fc.constantFrom("a", "b", "in", "notin", "example.com/name", "constructor");
const value = fc.constantFrom("", "a", "b", "in", "1", "2", "x.y-z");
const labels = fc.dictionary(key, value, { noNullPrototype: true });
const requirement = fc.oneof(
  fc.tuple(key, fc.constantFrom("=", "==", "!="), value).map((parts) => parts.join("")),
  fc.tuple(key, fc.constantFrom(">", "<"), fc.nat(3)).map((parts) => parts.join("")),
  fc
    .tuple(key, fc.constantFrom("in", "notin"), fc.array(value))
    .map(([k, op, values]) => `${k} ${op} (${values.join(",")})`),
  key,
  key.map((k) => `!${k}`),
);
const selector = fc.array(requirement, { maxLength: 4 }).map((requirements) => requirements.join(","));

describe("a label selector", () => {
  test.each([
    ["app=web", { app: "web" }, { app: "db" }],
    ["app==web", { app: "web" }, {}],
    ["app!=web", { app: "db" }, { app: "web" }],
    ["app!=web", {}, { app: "web" }],
    ["app in (a,b)", { app: "b" }, { app: "c" }],
    ["app notin (a,b)", { app: "c" }, { app: "a" }],
    ["app notin (a,b)", {}, { app: "b" }],
    ["app", { app: "" }, {}],
    ["!app", {}, { app: "" }],
    ["app=", { app: "" }, {}],
    ["app in ()", { app: "" }, { app: "a" }],
    ["app in (a,)", { app: "" }, { app: "b" }],
    ["size>5", { size: "10" }, { size: "5" }],
    ["size<5", { size: "4" }, { size: "x" }],
    ["size>5", { size: "9223372036854775807" }, { size: "9223372036854775808" }],
    ["size<5", { size: "0004" }, {}],
    ["a=1,b=2", { a: "1", b: "2" }, { a: "1" }],
    ["in in (in),notin", { in: "in", notin: "" }, { in: "notin", notin: "" }],
    ["constructor", { constructor: "x" }, {}],
    [" \t\n a \r = \n b ", { a: "b" }, { a: "c" }],
  ])("%j matches %j, but not %j", (text, yes, no) => {
    expect(parseLabelSelector(text).matches(yes as Record<string, string>)).toBe(true);
    expect(parseLabelSelector(text).matches(no as Record<string, string>)).toBe(false);
  });

  test.each(["", " ", "\0 whatever"])("%j is empty and matches everything", (text) => {
    expect(parseLabelSelector(text).isEmpty()).toBe(true);
    expect(parseLabelSelector(text).matches({ a: "b" })).toBe(true);
    expect(parseLabelSelector(text).matches(undefined)).toBe(true);
  });

  test.each([
    ["b=1 , a", "a,b=1"],
    ["a in (c,b,b)", "a in (b,c)"],
    ["a notin ( )", "a notin ()"],
    ["a in (b,,c)", "a in (,b,c)"],
    ["a in (,)", "a in ()"],
    ["x == y", "x==y"],
    ["!x,y!=", "!x,y!="],
    ["x > 1,y < 2", "x>1,y<2"],
    ["B,a,A", "A,B,a"],
    ["a=2,a=1", "a=2,a=1"],
  ])("%j prints as %j", (text, printed) => {
    expect(parseLabelSelector(text).toString()).toBe(printed);
  });

  test.each([
    [",", "found ',', expected: !, identifier, or 'end of string'"],
    ["=", "found '=', expected: !, identifier, or 'end of string'"],
    ["a,", "found '', expected: identifier after ','"],
    ["a,,b", "found ',', expected: identifier after ','"],
    ["!a=b", "found '=', expected: ',' or 'end of string'"],
    ["a=b c", "found 'c', expected: ',' or 'end of string'"],
    ["!", "unable to parse requirement: found '', expected: identifier"],
    ["a b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ["a===b", "unable to parse requirement: found '=', expected: identifier"],
    ["a in b", "unable to parse requirement: found 'b' expected: '('"],
    ["a in (", "unable to parse requirement: found '', expected: ',', ')' or identifier"],
    ["a in (b", "unable to parse requirement: found '', expected: ',' or ')'"],
    ["a in (b,=", "unable to parse requirement: found '=', expected: ',', or identifier"],
    [
      "a>x",
      "unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer",
    ],
  ])("%j is refused in the words of Kubernetes", (text, reason) => {
    expect(() => parseLabelSelector(text)).toThrow(new InvalidSelectorError(text, reason));
  });

  test.each([
    "-a",
    "a/b/c",
    "/a",
    "a=-x",
    "a=b/c",
    "a in (x,_)",
    "a>-1",
    "a>9223372036854775808",
    "é",
    `a=${"x".repeat(64)}`,
  ])("%j is refused for a key or value that no object can have", (text) => {
    const refusal = { code: "INVALID_SELECTOR", message: expect.stringContaining(JSON.stringify(text)) };
    expect(() => parseLabelSelector(text)).toThrow(expect.objectContaining(refusal));
  });

  test("means the same after it was printed", () => {
    fc.assert(
      fc.property(selector, labels, (text, set) => {
        const matcher = parseLabelSelector(text);
        const printed = parseLabelSelector(matcher.toString());
        expect(printed.matches(set)).toBe(matcher.matches(set));
        expect(printed.toString()).toBe(matcher.toString());
      }),
    );
  });

  test("matches what each of its requirements matches", () => {
    fc.assert(
      fc.property(selector, selector, labels, (one, other, set) => {
        const both = [one, other].filter((text) => text !== "").join(",");
        const isMatch = parseLabelSelector(one).matches(set) && parseLabelSelector(other).matches(set);
        expect(parseLabelSelector(both).matches(set)).toBe(isMatch);
      }),
    );
  });

  test.each([
    ["a=1", "1"],
    ["a==1", "1"],
    ["a in (1)", "1"],
    ["a in (1,2)", undefined],
    ["a!=1", undefined],
    ["b=1", undefined],
  ])("%j requires of the label a: %j", (text, required) => {
    expect(parseLabelSelector(text).requiredValue("a")).toBe(required);
  });
});

describe("a LabelSelector of the API", () => {
  test("needs all of its labels and expressions", () => {
    const matcher = labelMatcherFrom({
      matchLabels: { app: "web" },
      matchExpressions: [
        { key: "tier", operator: "In", values: ["b", "a"] },
        { key: "zone", operator: "NotIn", values: ["x"] },
        { key: "owner", operator: "Exists" },
        { key: "old", operator: "DoesNotExist", values: [] },
      ],
    });
    expect(matcher.toString()).toBe("app=web,!old,owner,tier in (a,b),zone notin (x)");
    expect(matcher.matches({ app: "web", tier: "a", owner: "me" })).toBe(true);
    expect(matcher.matches({ app: "web", tier: "a", owner: "me", old: "" })).toBe(false);
  });

  test("matches everything when empty, and nothing when absent", () => {
    expect(labelMatcherFrom({}).matches({ a: "b" })).toBe(true);
    expect(labelMatcherFrom({}).isEmpty()).toBe(true);
    expect(labelMatcherFrom(undefined).matches({})).toBe(false);
    expect(labelMatcherFrom(undefined).isEmpty()).toBe(false);
  });

  test.each([
    [{ key: "a", operator: "Gt", values: ["1"] }, "not a valid label selector operator"],
    [{ key: "a", operator: "In" }, "values set can't be empty"],
    [{ key: "a", operator: "Exists", values: ["x"] }, "values set must be empty"],
    [{ key: "-", operator: "Exists" }, "name part must consist"],
    [{ key: "a", operator: "In", values: ["-"] }, "a valid label must be"],
  ])("may not hold %j", (expression, reason) => {
    expect(() => labelMatcherFrom({ matchExpressions: [expression] })).toThrow(reason);
  });

  test("may not hold labels that no object can have", () => {
    expect(() => labelMatcherFrom({ matchLabels: { "a/b/c": "x" } })).toThrow(InvalidSelectorError);
    expect(() => labelMatcherFrom({ matchLabels: { a: "x y" } })).toThrow(InvalidSelectorError);
  });
});

describe("a label selector built in code", () => {
  test("prints as if it had been written", () => {
    const matcher = matchAllLabels
      .equals("app", "web")
      .notEquals("env", "test")
      .in("tier", ["b", "a"])
      .notIn("zone", ["x"])
      .exists("owner")
      .doesNotExist("old")
      .and("size", "gt", ["5"]);
    expect(matcher.toString()).toBe("app=web,env!=test,!old,owner,size>5,tier in (a,b),zone notin (x)");
    expect(matchAllLabels.isEmpty()).toBe(true);
  });

  test("is checked as it is built", () => {
    expect(() => matchAllLabels.equals("app", "not valid")).toThrow(InvalidSelectorError);
    expect(() => matchAllLabels.and("app", "=", ["a", "b"])).toThrow("exact-match");
    expect(() => matchAllLabels.and("app", "gt", [])).toThrow("exactly one value");
  });

  test("still matches nothing when it began with nothing", () => {
    expect(matchNoLabels.equals("a", "b").matches({ a: "b" })).toBe(false);
    expect(matchNoLabels.isNothing()).toBe(true);
  });
});
