import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapeFieldValue, FieldMatcher, InvalidSelectorError, parseFieldSelector } from "./index.ts";

const pod: Record<string, string> = { "metadata.name": "web-0", "spec.nodeName": "node,1", "status.phase": "Running" };

describe("a field selector", () => {
  test.each([
    ["", true],
    [",,", true],
    ["metadata.name=web-0", true],
    ["metadata.name==web-0", true],
    ["metadata.name!=web-0", false],
    ["metadata.name=web-0,status.phase!=Failed", true],
    ["metadata.name=web-0,status.phase=Failed", false],
    ["spec.nodeName=node\\,1", true],
    ["spec.absent=", true],
    ["spec.absent!=x", true],
    ["metadata.name= web-0", false],
    ["=", true],
  ])("%j matches the pod: %s", (text, isMatch) => {
    expect(parseFieldSelector(text).matches((field) => pod[field])).toBe(isMatch);
  });

  test.each([
    ["b=1,a==2", "a=2,b=1"],
    ["a=\\\\\\,\\=", "a=\\\\\\,\\="],
    ["a!=b,", "a!=b"],
    ["a=\u{1f600},a=\uffee", "a=\uffee,a=\u{1f600}"],
  ])("%j prints as %j", (text, printed) => {
    expect(parseFieldSelector(text).toString()).toBe(printed);
  });

  test.each([
    ["metadata.name", "invalid selector: 'metadata.name'; can't understand 'metadata.name'"],
    ["a=b,c", "invalid selector: 'a=b,c'; can't understand 'c'"],
    ["a=b=c", "invalid field selector: unescaped character in value: 61"],
    ["a=\\x", "invalid field selector: invalid escape sequence: \\x"],
    ["a=b\\", "invalid field selector: invalid escape sequence: \\"],
  ])("%j is refused in the words of Kubernetes", (text, reason) => {
    expect(() => parseFieldSelector(text)).toThrow(new InvalidSelectorError(text, reason));
  });

  test("gives back any value that was escaped", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", "\\", ",", "=", "!", " ", "\u{1f600}") }), (value) => {
        expect(parseFieldSelector(`f=${escapeFieldValue(value)}`).requiredValue("f")).toBe(value);
      }),
    );
  });

  test("is read back as it was printed", () => {
    const requirement = fc.record({
      field: fc.constantFrom("metadata.name", "spec.nodeName"),
      operator: fc.constantFrom("=" as const, "!=" as const),
      value: fc.string(),
    });
    fc.assert(
      fc.property(fc.array(requirement), (requirements) => {
        const printed = parseFieldSelector(new FieldMatcher(requirements).toString());
        expect(new Set(printed.requirements)).toEqual(new Set(requirements));
        expect(parseFieldSelector(printed.toString()).toString()).toBe(printed.toString());
      }),
    );
  });

  test("knows the value that a field must have", () => {
    const matcher = parseFieldSelector("spec.nodeName=a,metadata.name!=b");
    expect(matcher.requiredValue("spec.nodeName")).toBe("a");
    expect(matcher.requiredValue("metadata.name")).toBeUndefined();
    expect(matcher.isEmpty()).toBe(false);
  });
});
