import * as fc from "fast-check";
import fastJsonPatch from "fast-json-patch";
import { describe, expect, it } from "vitest";
import { hasErrorCode } from "../errors/stowage-error.ts";
import { applyJsonPatch, createJsonPatch, type JsonPatchOperation } from "./index.ts";
import { frozen, json } from "./patch-arbitraries.ts";

type Operations = JsonPatchOperation[];

const volume = () => frozen({ metadata: { labels: { a: "1" }, finalizers: ["x", "y"] }, spec: { "a/b~c": 1 } });

describe("applying a JSON patch", () => {
  it.each<[string, Operations, unknown]>([
    ["adds a field", [{ op: "add", path: "/metadata/labels/b", value: "2" }], { a: "1", b: "2" }],
    ["overwrites a field by adding it", [{ op: "add", path: "/metadata/labels/a", value: "2" }], { a: "2" }],
    ["replaces a field", [{ op: "replace", path: "/metadata/labels/a", value: "2" }], { a: "2" }],
    [
      "adds a missing field by replacing it",
      [{ op: "replace", path: "/metadata/labels/b", value: "2" }],
      { a: "1", b: "2" },
    ],
    ["removes a field", [{ op: "remove", path: "/metadata/labels/a" }], {}],
    ["moves a field", [{ op: "move", from: "/metadata/labels/a", path: "/metadata/labels/b" }], { b: "1" }],
    ["copies a field", [{ op: "copy", from: "/metadata/labels/a", path: "/metadata/labels/b" }], { a: "1", b: "1" }],
    ["goes on after a test that holds", [{ op: "test", path: "/spec/a~1b~0c", value: 1 }], { a: "1" }],
    ["copies null from a missing field", [{ op: "copy", from: "/spec/b", path: "/metadata/labels/a" }], { a: null }],
    ["takes a missing value for null", [{ op: "add", path: "/metadata/labels/a" } as never], { a: null }],
    ["takes a missing field for null in a test", [{ op: "test", path: "/metadata/uid", value: null }], { a: "1" }],
    [
      "adds fields with names that objects inherit",
      [{ op: "add", path: "/metadata/labels/toString", value: "t" }],
      { a: "1", toString: "t" },
    ],
  ])("%s", (_, patch, labels) => {
    expect(applyJsonPatch(volume(), patch).metadata.labels).toEqual(labels);
  });

  it.each<[string, Operations, string[]]>([
    ["appends to a list", [{ op: "add", path: "/metadata/finalizers/-", value: "z" }], ["x", "y", "z"]],
    ["inserts before an index", [{ op: "add", path: "/metadata/finalizers/1", value: "z" }], ["x", "z", "y"]],
    ["replaces at an index", [{ op: "replace", path: "/metadata/finalizers/1", value: "z" }], ["x", "z"]],
    ["removes at an index", [{ op: "remove", path: "/metadata/finalizers/0" }], ["y"]],
    ["counts negative indexes from the end", [{ op: "remove", path: "/metadata/finalizers/-1" }], ["x"]],
  ])("%s", (_, patch, finalizers) => {
    expect(applyJsonPatch(volume(), patch).metadata.finalizers).toEqual(finalizers);
  });

  it("replaces the whole document", () => {
    expect(applyJsonPatch<unknown>(volume(), [{ op: "replace", path: "", value: { a: 1 } }])).toEqual({ a: 1 });
  });

  it("does not let a copied value change with its source", () => {
    const patch: Operations = [
      { op: "copy", from: "/metadata/labels", path: "/spec/labels" },
      { op: "add", path: "/metadata/labels/b", value: "2" },
    ];
    expect(applyJsonPatch<unknown>(volume(), patch)).toHaveProperty("spec.labels", { a: "1" });
  });

  it("takes __proto__ for a field like any other and pollutes nothing", () => {
    const patched = applyJsonPatch<object>({ data: {} }, [
      { op: "add", path: "/data/__proto__", value: { polluted: true } },
      { op: "add", path: "/data/__proto__/more", value: 1 },
    ]);
    expect(JSON.stringify(patched)).toBe('{"data":{"__proto__":{"polluted":true,"more":1}}}');
    expect({}).not.toHaveProperty("polluted");
    expect(() => applyJsonPatch({}, [{ op: "add", path: "/__proto__/polluted", value: 1 }])).toThrow('no "__proto__"');
    expect(() => applyJsonPatch({}, [{ op: "add", path: "/constructor/prototype/p", value: 1 }])).toThrow('no "c');
  });

  it.each<[string, unknown, string]>([
    ["a path whose parent is missing", { op: "add", path: "/status/phase", value: 1 }, 'there is no "status"'],
    ["the removal of what is missing", { op: "remove", path: "/spec/b" }, 'there is no "b"'],
    ["the removal of what every object inherits", { op: "remove", path: "/spec/toString" }, 'there is no "toString"'],
    [
      "a path through a plain value",
      { op: "add", path: "/metadata/labels/a/b", value: 1 },
      "neither an object nor a list",
    ],
    ["an index past the end", { op: "add", path: "/metadata/finalizers/3", value: "z" }, '"3" is not an index'],
    ["an index that overflows", { op: "add", path: "/metadata/finalizers/4294967296", value: "z" }, "is not an index"],
    [
      "an index that is no number",
      { op: "replace", path: "/metadata/finalizers/one", value: "z" },
      '"one" is not an index',
    ],
    [
      "a place after the last item to replace",
      { op: "replace", path: "/metadata/finalizers/-", value: "z" },
      '"-" is not',
    ],
    [
      "a test that does not hold",
      { op: "test", path: "/metadata/labels/a", value: "2" },
      "the value there is another one",
    ],
    ["a copy from where nothing can be", { op: "copy", from: "/status/b", path: "/spec/c" }, 'there is no "status"'],
    ["a copy of the whole document", { op: "copy", from: "", path: "/spec/c" }, "whole document"],
    ["a move of what is missing", { op: "move", from: "/spec/b", path: "/spec/c" }, 'there is no "b"'],
    ["a move into itself", { op: "move", from: "/spec", path: "/spec/a" }, 'there is no "spec"'],
    ["the removal of the whole document", { op: "remove", path: "" }, "whole document"],
    ["a path that is no pointer", { op: "add", path: "spec", value: 1 }, "has no slash"],
    ["an unknown op", { op: "frob", path: "/spec" }, 'unknown op "frob"'],
    ["an op that objects inherit", { op: "toString", path: "/spec" }, 'unknown op "toString"'],
    ["a missing path", { op: "add", value: 1 }, "has no path"],
    ["a missing from", { op: "move", path: "/spec/b" }, "has no path or from"],
  ])("refuses %s", (_, operation, message) => {
    const apply = () => applyJsonPatch(volume(), [operation as JsonPatchOperation]);
    expect(apply).toThrow(message);
    expect(apply).toThrow(expect.toSatisfy((error) => hasErrorCode(error, "INVALID_PATCH")));
  });

  it("names the operation and its path, and never the value", () => {
    const patch: Operations = [
      { op: "test", path: "/metadata/labels/a", value: "1" },
      { op: "test", path: "/metadata/labels/a", value: "a secret" },
    ];
    expect(() => applyJsonPatch(volume(), patch)).toThrow(
      /^Operation 1 of the JSON patch \(test \/metadata\/labels\/a\) cannot be applied: the value there is another one$/,
    );
  });

  it.each([{}, null, "add", [1], [null]])("refuses %j, which is no patch", (patch) => {
    const apply = () => applyJsonPatch(volume(), patch as never);
    expect(apply).toThrow(expect.toSatisfy((error) => hasErrorCode(error, "MALFORMED_PATCH")));
  });
});

describe("computing a JSON patch", () => {
  it("says nothing of what is equal", () => {
    expect(createJsonPatch(volume(), volume())).toEqual([]);
  });

  it("names only what changed", () => {
    expect(createJsonPatch({ a: { b: 1, c: [1, 2, 3] } }, { a: { b: 2, c: [1] }, "d/e": null })).toEqual([
      { op: "replace", path: "/a/b", value: 2 },
      { op: "remove", path: "/a/c/2" },
      { op: "remove", path: "/a/c/1" },
      { op: "add", path: "/d~1e", value: null },
    ]);
  });

  it("gives a patch that leads from any document to any other", () => {
    fc.assert(
      fc.property(json, json, (from, to) => {
        expect(applyJsonPatch({ at: from }, createJsonPatch({ at: from }, { at: to }))).toEqual({ at: to });
      }),
    );
  });

  it("gives a patch that another implementation understands", () => {
    fc.assert(
      fc.property(json, json, (from, to) => {
        const patch = createJsonPatch({ at: from }, { at: to });
        // The other implementation refuses this name altogether.
        fc.pre(!JSON.stringify(patch).includes("__proto__"));
        const patched = fastJsonPatch.applyPatch({ at: from }, patch as fastJsonPatch.Operation[], true, false);
        expect(patched.newDocument).toEqual({ at: to });
      }),
    );
  });

  it("is read like another implementation's patch", () => {
    fc.assert(
      fc.property(json, json, (from, to) => {
        const patch = fastJsonPatch.compare({ at: from }, { at: to }) as JsonPatchOperation[];
        expect(applyJsonPatch({ at: from }, patch)).toEqual({ at: to });
      }),
    );
  });
});
