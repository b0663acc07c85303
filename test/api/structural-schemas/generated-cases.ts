import type { JSONSchemaProps } from "@stowage/machinery";
import * as fc from "fast-check";
import type { SchemaCase } from "./keyword-cases.ts";

const names = fc.constantFrom("a", "b", "c", "d-e", "kind", "metadata");
const texts = fc.constantFrom("", "a", "abc", "ABC", "1", "ä😀", "2024-01-01T00:00:00Z", "10.0.0.1", "50%");
const numbers = fc.constantFrom(-3, 0, 1, 2, 5, 7.5, 100, 3_000_000_000, 1e15);

/** Any JSON that is likely to meet one of the names and limits of the schemas. */
const values: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    texts,
    numbers,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(names, tie("value"), { maxKeys: 4 }),
  ),
})).value;

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

function compact(schema: Record<string, unknown>): JSONSchemaProps {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}

const textSchema = fc
  .record({
    type: fc.constant("string"),
    minLength: maybe(fc.constantFrom(1, 2)),
    maxLength: maybe(fc.constantFrom(2, 3)),
    pattern: maybe(fc.constantFrom("^[a-z]+$", "[0-9]", "^.{2}", "(?i)abc|%$")),
    format: maybe(fc.constantFrom("date-time", "ipv4", "uuid", "odd")),
    enum: maybe(fc.constantFrom(["a", "abc"], ["1"])),
    nullable: maybe(fc.constant(true)),
  })
  .map(compact);

const numberSchema = fc
  .record({
    type: fc.constantFrom("integer", "number"),
    minimum: maybe(fc.constantFrom(0, 1, 2.5)),
    maximum: maybe(fc.constantFrom(5, 99.5)),
    exclusiveMaximum: maybe(fc.constant(true)),
    multipleOf: maybe(fc.constantFrom(2, 0.5)),
    format: maybe(fc.constantFrom("int32", "int64", "float", "double")),
    enum: maybe(fc.constantFrom([1, 2], [5])),
    nullable: maybe(fc.constant(true)),
  })
  .map(compact);

/** What choices can say: no types, and of no property that is not there. */
const narrowing = fc
  .record({
    minLength: maybe(fc.constant(2)),
    maximum: maybe(fc.constant(4)),
    enum: maybe(fc.constantFrom(["a"], [1, 5])),
  })
  .map(compact);

const choices = fc
  .record({
    anyOf: maybe(fc.array(narrowing, { minLength: 1, maxLength: 2 })),
    oneOf: maybe(fc.array(narrowing, { minLength: 1, maxLength: 2 })),
    allOf: maybe(fc.array(narrowing, { minLength: 1, maxLength: 2 })),
    not: maybe(narrowing),
  })
  .map(compact);

const schemas: fc.Arbitrary<JSONSchemaProps> = fc.letrec<{ schema: JSONSchemaProps }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small" },
    textSchema,
    numberSchema,
    fc.constantFrom<JSONSchemaProps[]>(
      { type: "boolean" },
      { "x-kubernetes-int-or-string": true },
      { "x-kubernetes-preserve-unknown-fields": true },
      { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    ),
    fc.tuple(fc.oneof(textSchema, numberSchema), choices).map(([base, more]) => ({ ...base, ...more })),
    fc
      .record({
        type: fc.constant("array"),
        items: tie("schema"),
        minItems: maybe(fc.constant(1)),
        maxItems: maybe(fc.constant(2)),
        nullable: maybe(fc.constant(true)),
      })
      .map(compact),
    fc
      .record({
        type: fc.constant("object"),
        properties: fc.dictionary(names, tie("schema"), { minKeys: 1, maxKeys: 4 }),
        required: maybe(fc.constantFrom(["a"], ["a", "b"], ["d-e"])),
        minProperties: maybe(fc.constant(2)),
        maxProperties: maybe(fc.constant(3)),
        "x-kubernetes-preserve-unknown-fields": maybe(fc.constant(true)),
      })
      .map(compact),
    fc.record({ type: fc.constant("object"), additionalProperties: tie("schema") }),
  ),
})).schema;

/** The same at each run. */
export function generatedCases(schemaCount: number, valuesPerSchema: number): Readonly<Record<string, SchemaCase>> {
  const chosen = fc.sample(schemas, { numRuns: schemaCount, seed: 20_261_115 });
  return Object.fromEntries(
    chosen.map((schema, index) => [
      `generated${index}`,
      { schema, values: fc.sample(fc.oneof(fitting(schema), values), { numRuns: valuesPerSchema, seed: index }) },
    ]),
  );
}

/** Values of the right shape, most of whose parts are right too. */
function fitting(schema: JSONSchemaProps): fc.Arbitrary<unknown> {
  const { type, items, properties, additionalProperties } = schema;
  if (type === "array" && items !== undefined && !Array.isArray(items))
    return fc.array(fitting(items), { maxLength: 3 });
  if (type === "object" && properties !== undefined) {
    const fields = Object.entries(properties).map(([name, property]) => [name, maybe(fitting(property))]);
    return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>).map(compact);
  }
  if (type === "object" && typeof additionalProperties === "object")
    return fc.dictionary(names, fitting(additionalProperties), { maxKeys: 3 });
  if (type === "string") return fc.oneof({ weight: 5, arbitrary: texts }, { weight: 1, arbitrary: values });
  if (type === "integer" || type === "number")
    return fc.oneof({ weight: 5, arbitrary: numbers }, { weight: 1, arbitrary: values });
  return values;
}
