import { describe, expect, it } from "vitest";
import { compareText, goQuote } from "../../go-text/index.ts";
import {
  duplicate,
  fieldErrorText,
  invalid,
  notSupported,
  omittedValue,
  required,
  tooLong,
  tooMany,
} from "./field-error.ts";
import { decimalForm, GoFloat, goFloat, goJson, runeCount } from "./go-text.ts";
import { invalidStatus } from "./invalid-status.ts";

describe("an error of a field", () => {
  it.each([
    [invalid("spec.a", "x", "is wrong"), 'spec.a: Invalid value: "x": is wrong'],
    [invalid("spec.a", 1e6, "is wrong"), "spec.a: Invalid value: 1000000: is wrong"],
    [invalid("spec.a", new GoFloat(1e6), "is wrong"), "spec.a: Invalid value: 1e+06: is wrong"],
    [invalid("", null, "is wrong"), "<nil>: Invalid value: null: is wrong"],
    [invalid("spec", omittedValue, "is wrong"), "spec: Invalid value: is wrong"],
    [required("spec.a"), "spec.a: Required value"],
    [duplicate("spec.l[1]", { name: "a" }), 'spec.l[1]: Duplicate value: {"name":"a"}'],
    [notSupported("spec.e", "x", ["a", "b"]), 'spec.e: Unsupported value: "x": supported values: "a", "b"'],
    [tooLong("spec.a", 1), "spec.a: Too long: may not be more than 1 byte"],
    [tooMany("spec.l", 3, 2), "spec.l: Too many: 3: must have at most 2 items"],
  ])("reads as the API server writes it: %#", (error, text) => {
    expect(fieldErrorText(error)).toBe(text);
  });
});

describe("a Status", () => {
  it("names each cause, and tells an error that came twice once in its message", () => {
    const errors = [required("a"), required("a"), required("b")];
    const status = invalidStatus({ group: "g.example", kind: "Thing", name: "t" }, errors);
    expect(status.message).toBe('Thing.g.example "t" is invalid: [a: Required value, b: Required value]');
    expect(status.details?.causes).toHaveLength(3);
    expect(status).toMatchObject({ code: 422, reason: "Invalid", status: "Failure" });
  });

  it("has no brackets around one sentence, and no group for the core's kinds", () => {
    const status = invalidStatus({ group: "", kind: "Pod", name: 'a"b' }, [required("a"), required("a")]);
    expect(status.message).toBe('Pod "a\\"b" is invalid: a: Required value');
    expect(status.details).not.toHaveProperty("group");
  });
});

describe("Go's way of writing", () => {
  it.each([
    ["plain", '"plain"'],
    ['a"b\\c\n\t\u0007', '"a\\"b\\\\c\\n\\t\\a"'],
    ["é😀", '"é😀"'],
    ["\u200b\u007f\u2028", '"\\u200b\\x7f\\u2028"'],
  ])("quotes %j", (text, quoted) => {
    expect(goQuote(text)).toBe(quoted);
  });

  it.each([
    [1.5, "1.5"],
    [100_000, "100000"],
    [123_456_789, "1.23456789e+08"],
    [0.00001, "1e-05"],
    [-0.0001, "-0.0001"],
    [Number.POSITIVE_INFINITY, "+Inf"],
  ])("prints %d", (value, text) => {
    expect(goFloat(value)).toBe(text);
  });

  it.each([
    [1e21, `1${"0".repeat(21)}`],
    [1.5e-7, "0.00000015"],
    [-12.5, "-12.5"],
  ])("spells %d out", (value, text) => {
    expect(decimalForm(value)).toBe(text);
  });

  it("sorts keys and escapes what could end a script", () => {
    expect(goJson({ b: "<a&b>", a: [1, null, 2 ** 60] })).toBe(
      '{"a":[1,null,1152921504606846976],"b":"\\u003ca\\u0026b\\u003e"}',
    );
  });

  it("counts and compares code points, not halves of them", () => {
    expect(runeCount("a😀b")).toBe(3);
    expect(compareText("\uffee", "😀")).toBeLessThan(0);
  });
});
