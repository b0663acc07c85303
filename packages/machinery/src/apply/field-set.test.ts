import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FieldSet } from "./field-set.ts";
import { decodeFields, encodeFields } from "./fields-v1.ts";
import { fieldPath, indexElement, keyElement, type Path, pathText, valueElement } from "./path-element.ts";

const set = (...paths: string[]) => FieldSet.of(...paths.map((path) => fieldPath(...path.split("."))));
const texts = (fields: FieldSet) => [...fields.paths()].map((path) => pathText(path).slice(1));

describe("a field set", () => {
  it.each<[string, FieldSet, string[]]>([
    ["a union", set("a", "b.c").union(set("b", "b.d")), ["a", "b", "b.c", "b.d"]],
    ["an intersection", set("a", "b", "b.c").intersection(set("b", "b.d", "a.x")), ["b"]],
    ["a difference, which leaves what is below", set("a", "a.b", "a.c").difference(set("a", "a.b")), ["a.c"]],
    [
      "a recursive difference, which does not",
      set("a", "a.b", "c", "d.e").recursiveDifference(set("a", "d.x")),
      ["c", "d.e"],
    ],
    ["its leaves", set("a", "a.b", "c", "c.d.e", "c.d").leaves(), ["a.b", "c.d.e"]],
    ["what is below an element", set("a", "a.b", "a.c.d").below(fieldPath("a")[0] as never), ["b", "c.d"]],
  ])("has %s", (_name, fields, expected) => {
    expect(texts(fields)).toEqual(expected);
  });

  it("has no path of the whole object", () => {
    expect(FieldSet.of([]).isEmpty).toBe(true);
  });

  it("lists the paths of one level before those below it", () => {
    expect(texts(set("b.a", "c", "a", "a.z"))).toEqual(["a", "c", "a.z", "b.a"]);
  });

  const element = fc.oneof(
    fc.constantFrom("a", "b", "c").map((name) => fieldPath(name)[0] as Path[number]),
    fc.nat({ max: 12 }).map((port) =>
      keyElement([
        ["port", port],
        ["name", "x"],
      ]),
    ),
    fc.constantFrom<string | number | boolean>("x", 2, 10, true, "<&>").map(valueElement),
    fc.nat({ max: 12 }).map(indexElement),
  );
  const sets = fc.array(fc.array(element, { maxLength: 3 }), { maxLength: 8 }).map((paths) => FieldSet.of(...paths));

  it("survives being written and read", () => {
    fc.assert(fc.property(sets, (fields) => decodeFields(encodeFields(fields)).equals(fields)));
  });

  it("obeys the laws of sets", () => {
    fc.assert(
      fc.property(sets, sets, (a, b) => {
        const whole = a.union(b);
        expect(whole.equals(b.union(a))).toBe(true);
        expect(a.difference(b).union(a.intersection(b)).equals(a)).toBe(true);
        expect(a.difference(b).intersection(b).isEmpty).toBe(true);
        expect(a.recursiveDifference(b).difference(a).isEmpty).toBe(true);
        expect([...whole.paths()].every((path) => a.has(path) || b.has(path))).toBe(true);
      }),
    );
  });
});
