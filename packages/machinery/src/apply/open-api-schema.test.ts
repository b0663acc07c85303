import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { builtInSchema } from "./built-in-schemas.ts";
import { kindTypes } from "./generated/compact-types.ts";
import { type OpenApiSchema, schemasOfDefinitions, typedSchemaOf } from "./open-api-schema.ts";
import { deduced, type TypedSchema } from "./typed-schema.ts";

const folder = new URL("../../openapi/", import.meta.url);

function definitions(): Record<string, OpenApiSchema & { "x-kubernetes-group-version-kind"?: Gvk[] }> {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as Document);
  return Object.assign({}, ...files.map(({ schemas }) => schemas)) as ReturnType<typeof definitions>;
}

interface Document {
  schemas: object;
}

interface Gvk {
  group: string;
  version: string;
  kind: string;
}

/** A type with what it refers to, to a depth; defaults only of the keys of lists, which are all that the table keeps. */
function unfolded(type: TypedSchema, depth: number, keys: readonly string[] = []): unknown {
  if (depth === 0) return "…";
  const { scalar, list, map } = type;
  return {
    scalar,
    list: list && { ...list, item: unfolded(list.item(), depth - 1, list.keys) },
    map: map && {
      isAtomic: map.isAtomic,
      isDeduced: map.isDeduced,
      values: map.values && unfolded(map.values(), depth - 1),
      fields: Object.fromEntries(
        [...map.fields].map(([name, field]) => [
          name,
          [unfolded(field.type(), depth - 1), keys.includes(name) ? field.default : undefined],
        ]),
      ),
    },
  };
}

describe("the table of built-in types", () => {
  const all = definitions();
  const schemaNamed = schemasOfDefinitions(all);

  it("says of every kind what the OpenAPI documents say", () => {
    for (const [key, alias] of Object.entries(kindTypes)) {
      const slash = key.lastIndexOf("/");
      const ours = builtInSchema(key.slice(0, slash), key.slice(slash + 1)) ?? {};
      const name = Object.keys(all).find((full) => full.endsWith(`.${alias}`)) ?? "";
      expect({ key, type: unfolded(ours, 7) }).toEqual({ key, type: unfolded(schemaNamed(name), 7) });
    }
  });

  it("has the kinds that storage touches, and none that are not built in", () => {
    expect(Object.keys(kindTypes)).toEqual(
      expect.arrayContaining([
        "v1/Pod",
        "v1/PersistentVolumeClaim",
        "apps/v1/Deployment",
        "storage.k8s.io/v1/CSIDriver",
      ]),
    );
    expect(builtInSchema("v1", "Unheard")).toBeUndefined();
    expect(builtInSchema("v1", "constructor")).toBeUndefined();
  });
});

describe("a structural schema", () => {
  const typed = (schema: OpenApiSchema) => typedSchemaOf(schema, { resolve: () => deduced });
  const text = { type: "string" };

  it.each<[string, OpenApiSchema, TypedSchema | object]>([
    ["text", text, { scalar: "string" }],
    ["a time, which may be something else than text", { type: "string", format: "date-time" }, { scalar: "untyped" }],
    ["a whole number", { type: "integer" }, { scalar: "numeric" }],
    [
      "a list that says nothing, which is atomic",
      { type: "array", items: text },
      { list: { isAtomic: true, keys: [] } },
    ],
    ["a set", { type: "array", items: text, "x-kubernetes-list-type": "set" }, { list: { isAtomic: false, keys: [] } }],
    [
      "a list with keys",
      {
        type: "array",
        items: { type: "object" },
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["a", "b"],
      },
      { list: { isAtomic: false, keys: ["a", "b"] } },
    ],
    [
      "an atomic map",
      { type: "object", "x-kubernetes-map-type": "atomic" },
      { map: { isAtomic: true, isDeduced: true } },
    ],
    [
      "a struct, which has no other fields",
      { type: "object", properties: { a: text } },
      { map: { values: undefined, isDeduced: false } },
    ],
    ["int-or-string", {}, { scalar: "untyped", map: { isDeduced: true } }],
  ])("of %s", (_title, schema, expected) => {
    expect(typed(schema)).toMatchObject(expected);
  });

  it("that preserves unknown fields hands that down", () => {
    const inner: OpenApiSchema = { type: "object", properties: { b: text } };
    const outer = typed({ type: "object", properties: { a: inner }, "x-kubernetes-preserve-unknown-fields": true });
    expect(outer.map?.fields.get("a")?.type().map?.values?.()).toBe(deduced);
  });

  it("of an object inside an object has its metadata", () => {
    const { map } = typed({ type: "object", "x-kubernetes-embedded-resource": true });
    expect([...(map?.fields.keys() ?? [])]).toEqual(["apiVersion", "kind", "metadata"]);
  });
});
