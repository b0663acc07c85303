import type { JSONSchemaProps } from "@stowage/machinery";
import { packedSchema } from "../../structural-schemas/definitions.ts";
import { generatedCases } from "../../structural-schemas/generated-cases.ts";
import { keywordCases } from "../../structural-schemas/keyword-cases.ts";
import { get, mergePatch } from "../builders.ts";
import { seed } from "../generated-steps.ts";
import type { Sequence, Step } from "../sequence.ts";

const group = "schemas-{run}.example.test";
const collection = `/apis/${group}/v1/namespaces/{ns}/shapes`;

/** Definitions are slow to make, so all schemas are fields of one. */
const cases = Object.entries({ ...generatedCases(40, 12), ...keywordCases });

const definition = (schema: JSONSchemaProps) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `shapes.${group}` },
  spec: {
    group,
    names: { plural: "shapes", kind: "Shape" },
    scope: "Namespaced",
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
});

export const setup: readonly Step[] = [
  {
    send: "POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    body: definition(packedSchema(Object.fromEntries(cases.map(([name, { schema }]) => [name, schema])))),
  },
  get(`/apis/${group}/v1/shapes`, { awaits: 200 }),
];

const object = (spec: Record<string, unknown>) => ({
  apiVersion: `${group}/v1`,
  kind: "Shape",
  metadata: { name: "a" },
  spec,
});

/** One object for each value, changed by the others in turn; a few at a time, so that a sequence stays short. */
function sequencesFor(name: string, values: readonly unknown[]): Sequence[] {
  const groups = Array.from({ length: Math.ceil(values.length / 4) }, (_none, index) =>
    values.slice(index * 4, index * 4 + 4),
  );
  return groups.map((some, index) => ({
    name: `${name}, values ${index} of seed ${seed}`,
    steps: [
      ...some.map(
        (value, position): Step => ({
          send: `POST ${collection}?dryRun=All&fieldValidation=${position % 2 === 0 ? "Strict" : "Warn"}`,
          body: object({ [name]: value }),
        }),
      ),
      { send: `POST ${collection}`, body: object({}) },
      ...some.map(
        (value): Step => ({ send: `PATCH ${collection}/a`, type: mergePatch, body: { spec: { [name]: value } } }),
      ),
    ],
  }));
}

export const schemaSequences: readonly Sequence[] = cases.flatMap(([name, { values }]) => sequencesFor(name, values));
