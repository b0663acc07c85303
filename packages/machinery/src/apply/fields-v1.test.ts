import { describe, expect, it } from "vitest";
import { FieldSet } from "./field-set.ts";
import { decodeFields, encodeFields } from "./fields-v1.ts";
import { fieldElement, fieldPath, indexElement, keyElement, pathText, valueElement } from "./path-element.ts";

const ports = fieldPath("spec", "ports");
const port = (number: number, protocol: string) =>
  keyElement([
    ["protocol", protocol],
    ["port", number],
  ]);

describe("managed fields are written", () => {
  it.each<[string, FieldSet, string]>([
    [
      "with a dot where a field has fields below it",
      FieldSet.of(fieldPath("a"), fieldPath("a", "b")),
      '{"f:a":{".":{},"f:b":{}}}',
    ],
    ["without one where it has not", FieldSet.of(fieldPath("a", "b"), fieldPath("c")), '{"f:a":{"f:b":{}},"f:c":{}}'],
    [
      "with keys in the order of their names, and items in that of their keys",
      FieldSet.of([...ports, port(443, "TCP")], [...ports, port(53, "UDP")], [...ports, port(53, "TCP")]),
      String.raw`{"f:spec":{"f:ports":{"k:{\"port\":53,\"protocol\":\"TCP\"}":{},"k:{\"port\":53,\"protocol\":\"UDP\"}":{},"k:{\"port\":443,\"protocol\":\"TCP\"}":{}}}}`,
    ],
    [
      "with fields before keys, values and places",
      FieldSet.of([indexElement(1)], [valueElement("x")], [keyElement([["a", "b"]])], [fieldElement("z")]),
      String.raw`{"f:z":{},"k:{\"a\":\"b\"}":{},"v:\"x\"":{},"i:1":{}}`,
    ],
    [
      "with numbers in their own order, before text, before booleans",
      FieldSet.of(...[true, "b", 10, "a", 9, 1.5].map((value) => [valueElement(value)])),
      String.raw`{"v:1.5":{},"v:9":{},"v:10":{},"v:\"a\"":{},"v:\"b\"":{},"v:true":{}}`,
    ],
    [
      "with markup escaped in values, as Go does it, but not in names",
      FieldSet.of([fieldElement("<a>")], [valueElement("<&>\u2028\b")]),
      String.raw`{"f:<a>":{},"v:\"\\u003c\\u0026\\u003e\\u2028\\u0008\"":{}}`,
    ],
    [
      "in the order of bytes, where that differs from that of JavaScript",
      FieldSet.of(fieldPath("\u{1f600}"), fieldPath("\uff00"), fieldPath("Z"), fieldPath("a")),
      '{"f:Z":{},"f:a":{},"f:\uff00":{},"f:\u{1f600}":{}}',
    ],
  ])("%s", (_title, fields, text) => {
    expect(JSON.stringify(encodeFields(fields))).toBe(text);
    expect(decodeFields(JSON.parse(text)).equals(fields)).toBe(true);
  });

  it("and read, though keys are in another order, with spaces, or of a kind that nobody knows", () => {
    const fields = decodeFields({
      'k:{"protocol":"TCP", "port":53}': { ".": {}, "f:name": {} },
      "q:new": { "f:a": {} },
    });
    expect([...fields.paths()].map(pathText)).toEqual(['[port=53,protocol="TCP"]', '[port=53,protocol="TCP"].name']);
  });

  it.each(["x", "fname", "k:{", "k:[1]", "v:", "i:x"])("and not read when an element is %s", (key) => {
    expect(() => decodeFields({ [key]: {} })).toThrow(SyntaxError);
  });
});
