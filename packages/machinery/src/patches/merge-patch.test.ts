import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasErrorCode } from "../errors/stowage-error.ts";
import { applyMergePatch, createMergePatch } from "./index.ts";
import { frozen, objectWithoutNull } from "./patch-arbitraries.ts";

describe("applying a merge patch", () => {
  it.each<[string, object, object, object]>([
    ["adds a field", { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
    ["replaces a plain value", { a: 1 }, { a: 2 }, { a: 2 }],
    ["removes by null", { a: 1, b: 2 }, { a: null }, { b: 2 }],
    ["ignores null where nothing is", { a: 1 }, { b: null }, { a: 1 }],
    ["merges objects", { a: { b: 1, c: 2 } }, { a: { b: null, d: 3 } }, { a: { c: 2, d: 3 } }],
    ["replaces lists whole", { a: [1, 2] }, { a: [3] }, { a: [3] }],
    ["replaces a list by an object", { a: [1, 2] }, { a: { b: 1, c: null } }, { a: { b: 1 } }],
    ["replaces an object by a list", { a: { b: 1 } }, { a: [1] }, { a: [1] }],
    ["keeps nulls that were there", { a: null }, { b: 1 }, { a: null, b: 1 }],
    ["drops nulls inside what it adds", {}, { a: { b: { c: null } } }, { a: { b: {} } }],
    [
      "drops nulls in objects inside lists, as the server does",
      { a: [] },
      { a: [{ b: null, c: 1 }, null] },
      { a: [{ c: 1 }, null] },
    ],
    ["is not led astray by names that objects inherit", {}, { constructor: { b: 1 } }, { constructor: { b: 1 } }],
  ])("%s", (_, object, patch, expected) => {
    expect(applyMergePatch(frozen(object), frozen(patch))).toEqual(expected);
  });

  it("takes __proto__ for a field like any other and pollutes nothing", () => {
    const patch = JSON.parse('{"__proto__": {"polluted": true}}') as object;
    expect(JSON.stringify(applyMergePatch({ a: 1 }, patch))).toBe('{"a":1,"__proto__":{"polluted":true}}');
    expect(JSON.stringify(applyMergePatch(applyMergePatch({}, patch), patch))).toBe('{"__proto__":{"polluted":true}}');
    expect({}).not.toHaveProperty("polluted");
  });

  it.each([null, [], "patch", 1])("refuses %j, which is no merge patch", (patch) => {
    const apply = () => applyMergePatch({}, patch as object);
    expect(apply).toThrow(expect.toSatisfy((error) => hasErrorCode(error, "MALFORMED_PATCH")));
  });
});

describe("computing a merge patch", () => {
  it("names only what changed", () => {
    const from = frozen({ same: { a: 1 }, gone: 1, deep: { a: 1, b: 2 }, list: [1, 2] });
    const to = frozen({ same: { a: 1 }, deep: { a: 1, b: 3 }, list: [2], added: {} });
    expect(createMergePatch(from, to)).toEqual({ gone: null, deep: { b: 3 }, list: [2], added: {} });
  });

  it("gives a patch that leads from any object to any other", () => {
    fc.assert(
      fc.property(objectWithoutNull, objectWithoutNull, (from, to) => {
        expect(applyMergePatch(from, createMergePatch(from, to))).toEqual(to);
      }),
    );
  });
});
