import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { valueText, withoutMembers, withValue } from "./json-text.ts";

describe("the text of a JSON object", () => {
  it.each([
    ['{"a":{"b":"c\\"}"}}', ["a", "b"], '"c\\"}"'],
    ['{"a":[{"b":1}],"b":12345678901234567890}', ["b"], "12345678901234567890"],
    ['{ "a" : { "b" : [ 1, "]" ] } , "c" : null }', ["a", "b"], '[ 1, "]" ]'],
    ['{"a\\u0062":true}', ["ab"], "true"],
    ['{"a":1}', ["a", "b"], undefined],
    ["{}", ["a"], undefined],
  ])("tells the value at a path: %s %j", (text, path, value) => {
    expect(valueText(text, ...path)).toBe(value);
  });

  it.each([
    ['{"a":{"b":"1","c":2}}', ["a", "b"], '"2"', '{"a":{"b":"2","c":2}}'],
    ['{"a":{"c":2}}', ["a", "b"], '"2"', '{"a":{"b":"2","c":2}}'],
    ['{"a":{ }}', ["a", "b"], "1", '{"a":{"b":1 }}'],
    ["{}", ["a"], "1", '{"a":1}'],
    ["{}", ["a", "b"], "1", "{}"],
  ])("can get another value: %s %j", (text, path, value, result) => {
    expect(withValue(text, path, value)).toBe(result);
  });

  it("can lose members", () => {
    expect(withoutMembers('{"kind":"Pod","apiVersion":"v1","metadata":{"kind":"x"}}', ["kind", "apiVersion"])).toBe(
      '{"metadata":{"kind":"x"}}',
    );
    expect(withoutMembers('{"metadata":{},"kind":"Pod"}', ["kind"])).toBe('{"metadata":{}}');
    expect(withoutMembers('{"kind":"Pod"}', ["kind"])).toBe("{}");
  });

  it("means what decoding says, whatever is in it and however it is laid out", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(3), (object, indent) => {
        const text = JSON.stringify(object, undefined, indent);
        const decoded = JSON.parse(text) as Record<string, unknown>;
        for (const key of Object.keys(decoded)) {
          expect(JSON.parse(valueText(text, key) ?? "")).toEqual(decoded[key]);
          const { [key]: _gone, ...rest } = decoded;
          expect(JSON.parse(withoutMembers(text, [key]))).toEqual(rest);
          expect(JSON.parse(withValue(text, [key], "17"))).toEqual({ ...decoded, [key]: 17 });
        }
      }),
    );
  });
});
