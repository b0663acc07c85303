import { expect, it } from "vitest";
import { objectDifferences } from "./object-differences.ts";

const object = (spec: object, metadata: object = {}) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", ...metadata },
  spec,
});

it.each([
  ["nothing of the same", object({ a: 1 }), object({ a: 1 }), []],
  [
    "a field that is another",
    object({ a: { b: 1 } }),
    object({ a: { b: 2 } }),
    [{ path: "spec.a.b", before: 1, after: 2 }],
  ],
  [
    "fields that come and go",
    object({ a: 1 }),
    object({ b: 1 }),
    [
      { path: "spec.a", before: 1, after: undefined },
      { path: "spec.b", before: undefined, after: 1 },
    ],
  ],
  [
    "an item of a list",
    object({ list: [{ x: 1 }, { x: 2 }] }),
    object({ list: [{ x: 1 }, { x: 3 }] }),
    [{ path: "spec.list[1].x", before: 2, after: 3 }],
  ],
  ["nothing that the server keeps", object({}, { resourceVersion: "1" }), object({}, { resourceVersion: "2" }), []],
])("differences are %s", (_, before, after, expected) => {
  expect(objectDifferences(before, after)).toEqual(expected);
});
