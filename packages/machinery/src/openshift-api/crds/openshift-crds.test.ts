import { describe, expect, it } from "vitest";
import type { CustomResourceDefinition, JSONSchemaProps } from "../../api/index.ts";
import { completeObjects } from "./fixtures/complete-objects.ts";
import { platformCrds, storageOperatorCrds } from "./index.ts";

const openshiftCrds = [...storageOperatorCrds, ...platformCrds];

const schemaOf = ({ spec }: CustomResourceDefinition) => spec.versions[0]?.schema?.openAPIV3Schema as JSONSchemaProps;

describe.each(openshiftCrds.map((crd) => [crd.spec.names.kind, crd] as const))("the definition of %s", (kind, crd) => {
  const schema = schemaOf(crd);
  const complete = completeObjects.find((object) => object.kind === kind);

  it("has the fields of the type, each of its kind, and no others", () => {
    expect(shapeOfValue(complete, schema)).toEqual(shapeOfSchema({ ...schema, properties: withoutMetadata(schema) }));
  });

  it("names a resource of that API version", () => {
    expect(complete?.apiVersion).toBe(`${crd.spec.group}/${crd.spec.versions[0]?.name}`);
    expect(crd.metadata.name).toBe(`${crd.spec.names.plural}.${crd.spec.group}`);
  });

  it("describes every field in words of its own", () => {
    const withoutWords = [...schemasIn(schema)].filter(
      ([path, { description }]) => path !== ".metadata" && !path.endsWith("[]") && !description?.trim().endsWith("."),
    );
    expect(withoutWords.map(([path]) => path)).toEqual([]);
  });

  it("requires the keys of each list that is a map", () => {
    for (const [path, list] of schemasIn(schema)) {
      for (const key of list["x-kubernetes-list-map-keys"] ?? []) {
        expect(itemsOf(list)?.required, `${path} by ${key}`).toContain(key);
      }
    }
  });

  it("writes the status apart", () => {
    expect(crd.spec.versions[0]?.subresources).toEqual({ status: {} });
  });
});

const withoutMetadata = ({ properties }: JSONSchemaProps) =>
  Object.fromEntries(Object.entries(properties ?? {}).filter(([name]) => name !== "metadata"));

/** A schema that is structural has one for all items. */
const itemsOf = (schema: JSONSchemaProps | undefined) => schema?.items as JSONSchemaProps | undefined;

/** Path -> type, of every field that the schema knows. */
function shapeOfSchema(schema: JSONSchemaProps): Record<string, string> {
  return Object.fromEntries([...schemasIn(schema)].map(([path, { type }]) => [path, type ?? ""]));
}

function* schemasIn(schema: JSONSchemaProps, path = ""): Generator<[string, JSONSchemaProps]> {
  yield [path, schema];
  for (const [name, field] of Object.entries(schema.properties ?? {})) yield* schemasIn(field, `${path}.${name}`);
  const items = itemsOf(schema);
  if (items) yield* schemasIn(items, `${path}[]`);
}

/** The same of a value. The schema is asked for one thing only: below what it leaves free there is nothing to compare. */
function shapeOfValue(value: unknown, schema: JSONSchemaProps | undefined, path = ""): Record<string, string> {
  const shape = { [path]: typeName(value) };
  if (schema?.["x-kubernetes-preserve-unknown-fields"] === true) return shape;
  if (Array.isArray(value)) return { ...shape, ...shapeOfValue(value[0], itemsOf(schema), `${path}[]`) };
  if (typeof value !== "object" || value === null) return shape;
  for (const [name, field] of Object.entries(value)) {
    Object.assign(shape, shapeOfValue(field, schema?.properties?.[name], `${path}.${name}`));
  }
  return shape;
}

function typeName(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "number" ? "integer" : typeof value;
}
