import { describe, expect, it } from "vitest";
import { FieldSet } from "./field-set.ts";
import { managerName } from "./manager-name.ts";
import { fieldPath, pathText } from "./path-element.ts";
import { builtInFilter } from "./reset-fields.ts";
import { reconciledWithSchema } from "./schema-changes.ts";
import type { TypedSchema } from "./typed-schema.ts";

const texts = (set: FieldSet | undefined) => [...(set?.paths() ?? [])].map(pathText);

describe("what a write through a resource cannot own", () => {
  const set = FieldSet.of(
    fieldPath("spec", "a"),
    fieldPath("status", "a"),
    fieldPath("metadata", "labels", "a"),
    fieldPath("data"),
  );

  it.each([
    ["apps/v1", "Deployment", "", [".data", ".metadata.labels.a", ".spec.a"]],
    ["apps/v1", "Deployment", "status", [".data", ".status.a"]],
    ["v1", "Pod", "status", [".data", ".metadata.labels.a", ".status.a"]],
    ["storage.k8s.io/v1", "VolumeAttachment", "status", [".data", ".status.a"]],
    ["v1", "Namespace", "finalize", [".data", ".metadata.labels.a", ".spec.a"]],
  ])("of %s %s/%s is left out", (apiVersion, kind, subresource, left) => {
    expect(texts(builtInFilter(apiVersion, kind, subresource)?.(set))).toEqual(left);
  });

  it("is nothing where there is no status", () => {
    expect(builtInFilter("v1", "ConfigMap", "")).toBeUndefined();
    expect(builtInFilter("apps/v1", "Deployment", "scale")).toBeUndefined();
  });

  it("is nothing when a Pod is resized: the real server means to filter, and does not", () => {
    expect(builtInFilter("v1", "Pod", "resize")).toBeUndefined();
  });
});

describe("ownership, when a schema has changed,", () => {
  const text: TypedSchema = { scalar: "string" };
  const map = (isAtomic: boolean): TypedSchema => ({
    map: { isAtomic, fields: new Map(), values: () => text, isDeduced: false },
  });
  const root = (isAtomic: boolean): TypedSchema => ({
    map: {
      isAtomic: false,
      fields: new Map([["a", { type: () => map(isAtomic) }]]),
      values: undefined,
      isDeduced: false,
    },
  });

  it("of what is in a map becomes that of the map", () => {
    expect(texts(reconciledWithSchema(root(true), FieldSet.of(fieldPath("a", "x"), fieldPath("a", "y"))))).toEqual([
      ".a",
    ]);
  });

  it("stays where nothing has become atomic, or the whole was owned already", () => {
    expect(texts(reconciledWithSchema(root(false), FieldSet.of(fieldPath("a", "x"))))).toEqual([".a.x"]);
    expect(texts(reconciledWithSchema(root(true), FieldSet.of(fieldPath("a"))))).toEqual([".a"]);
  });
});

describe("the manager of a write", () => {
  it.each([
    ["ann", "kubectl/v1.36 (linux)", "ann"],
    [undefined, "kubectl/v1.36 (linux)", "kubectl"],
    ["", "my\u0000 tool", "my tool"],
    [undefined, "é".repeat(100), "é".repeat(64)],
  ])("named %j by a client that calls itself %j is %j", (given, userAgent, expected) => {
    expect(managerName(given, userAgent)).toBe(expected);
  });
});
