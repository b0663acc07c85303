import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeWithoutManagedFields } from "./managed-fields.ts";

const decoded = (event: unknown) => decodeWithoutManagedFields(JSON.stringify(event));
const entry = (fieldsV1: object) => ({ manager: "m", operation: "Update", fieldsType: "FieldsV1", fieldsV1 });

describe("decoding without managedFields", () => {
  it("leaves an empty list in their place, and all else as it is", () => {
    const event = (managedFields: object[]) => ({
      type: "ADDED",
      object: { kind: "Pod", metadata: { name: "a", managedFields, zone: "b" }, spec: { list: [{ a: 1 }] } },
    });
    expect(decoded(event([entry({ "f:spec": {} }), entry({})]))).toEqual(event([]));
  });

  it.each([
    ["has none", { object: { metadata: { name: "a" }, spec: { x: [{ y: 1 }] } } }],
    ["has a field of that name elsewhere only", { object: { metadata: {}, spec: { managedFields: [{ a: 1 }] } } }],
    [
      "has a field of that name before its own",
      {
        object: { data: { managedFields: [{ a: 1 }] }, metadata: { managedFields: [entry({})] } },
      },
    ],
    [
      "has the end of a list in a key",
      { object: { metadata: { managedFields: [entry({ "f:a}]}": {} }), entry({})] } } },
    ],
    [
      "has the end of a list in a quoted key",
      {
        object: { metadata: { managedFields: [entry({ 'k:{"name":"x}],"}': {} }), entry({})] }, spec: {} },
      },
    ],
    [
      "has a field of that name and an empty list of its own",
      {
        object: { data: { managedFields: [{ a: 1 }] }, metadata: { managedFields: [] } },
      },
    ],
    ["has lists in lists", { object: { metadata: { managedFields: [entry({ x: [{ y: 1 }], z: 1 })] }, spec: {} } }],
    ["says so in a string", { object: { metadata: { annotations: { a: '"managedFields":[{"x":1}]' } } } }],
  ])("changes nothing else in an event that %s", (_, event) => {
    const whole = JSON.parse(JSON.stringify(event));
    const result = decoded(event) as typeof whole;
    if (result.object.metadata.managedFields?.length === 0) whole.object.metadata.managedFields = [];
    expect(result).toEqual(whole);
  });

  it("agrees with the plain decoder on anything, but for the list itself", () => {
    const key = fc.oneof(
      fc.constantFrom("managedFields", "metadata", "a}]}", 'b"}],', "}]", "x"),
      fc.string({ maxLength: 6 }),
    );
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<unknown>("}]", '"managedFields":[{', "\\", 1, null),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(key, tie("value"), { maxKeys: 3, noNullPrototype: true }),
      ),
    }));
    const metadata = fc.record({
      labels: value,
      managedFields: fc.array(fc.dictionary(key, value, { minKeys: 1, noNullPrototype: true })),
      z: value,
    });
    fc.assert(
      fc.property(fc.record({ a: value, metadata, spec: value }), (object) => {
        const text = JSON.stringify({ type: "ADDED", object });
        const whole = JSON.parse(text);
        const result = decodeWithoutManagedFields(text) as typeof whole;
        if (result.object.metadata.managedFields.length === 0) whole.object.metadata.managedFields = [];
        expect(result).toEqual(whole);
      }),
      { numRuns: 2000 },
    );
  });
});
