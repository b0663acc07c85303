import { describe, expect, it } from "vitest";
import type { CustomResourceDefinition, JSONSchemaProps, ValidationRule } from "../../api/index.ts";
import type { JsonObject } from "../../patches/json-value.ts";
import { fieldErrorText } from "../errors/field-error.ts";
import { CustomResource } from "./custom-resource.ts";

function resource(
  spec: JSONSchemaProps,
  more: Partial<CustomResourceDefinition["spec"]["versions"][number]> = {},
): CustomResource {
  const schema: JSONSchemaProps = {
    type: "object",
    properties: { spec, status: { type: "object", properties: { n: { type: "integer" } } } },
  };
  const version = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema }, ...more };
  return new CustomResource(
    {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "things.example.com" },
      spec: {
        group: "example.com",
        names: { kind: "Thing", plural: "things" },
        scope: "Cluster",
        versions: [version],
      },
    },
    version,
  );
}

function thing(spec: unknown): JsonObject {
  return { apiVersion: "example.com/v1", kind: "Thing", metadata: { name: "a" }, spec } as JsonObject;
}

const texts = (errors: readonly Parameters<typeof fieldErrorText>[0][]) => errors.map(fieldErrorText);

describe("reading an object", () => {
  it("takes out what the schema does not know, and says what that was", () => {
    const things = resource({
      type: "object",
      properties: { a: { type: "object" }, l: { type: "array", items: { type: "object" } } },
    });
    const object = thing({ a: { x: 1 }, b: 2, l: [{ y: 1 }] });
    expect(things.read({ ...object, extra: 1 }).unknownFields).toEqual(["extra", "spec.a.x", "spec.b", "spec.l[0].y"]);
    expect(object["spec"]).toEqual({ a: {}, l: [{}] });
  });

  it("keeps unknown fields where they are preserved, until the schema says more", () => {
    const schema: JSONSchemaProps = {
      type: "object",
      "x-kubernetes-preserve-unknown-fields": true,
      properties: { known: { type: "object", properties: { a: { type: "string" } } } },
    };
    const object = thing({ x: { y: 1 }, known: { a: "a", b: "b" } });
    expect(resource(schema).read(object).unknownFields).toEqual(["spec.known.b"]);
    expect(object["spec"]).toEqual({ x: { y: 1 }, known: { a: "a" } });
  });

  it("sets defaults where something is missing or must not be null, and in what a default brought", () => {
    const inner: JSONSchemaProps = { type: "object", default: {}, properties: { a: { type: "string", default: "x" } } };
    const object = thing({ n: null, keep: null });
    resource({
      type: "object",
      properties: { n: { type: "integer", default: 3 }, keep: { type: "string", nullable: true, default: "y" }, inner },
    }).read(object);
    expect(object["spec"]).toEqual({ n: 3, keep: null, inner: { a: "x" } });
  });

  it("is not fooled by names that every JavaScript object has", () => {
    const things = resource({ type: "object", properties: { a: { type: "string" } }, required: ["constructor"] });
    const object = thing(JSON.parse('{"__proto__":{"a":1},"constructor":{"b":1},"toString":2}'));
    expect(things.read(object).unknownFields).toEqual(["spec.__proto__", "spec.constructor", "spec.toString"]);
    expect(texts(things.validateCreate(object))).toEqual(["spec.constructor: Required value"]);
    expect(Object.getPrototypeOf(object["spec"])).toBe(Object.prototype);
  });

  it("refuses what is nested deeper than anything can walk, and takes what is not", () => {
    const things = resource({ type: "object", "x-kubernetes-preserve-unknown-fields": true });
    const nested = (levels: number) => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`) as unknown;
    expect(things.read(thing({ a: nested(100_000) })).problem?.body).toContain(
      "must not be nested deeper than 1000 levels",
    );
    const object = thing({ a: nested(900), b: nested(900) });
    expect(things.read(object).problem).toBeUndefined();
    expect(things.validateUpdate(object, structuredClone(object))).toEqual([]);
  });

  it("refuses metadata within a resource that is of another type", () => {
    const schema: JSONSchemaProps = {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
    };
    const { problem } = resource(schema).read(thing({ apiVersion: "v1", kind: "Pod", metadata: { name: 5 } }));
    expect(problem?.body).toContain(
      "json: cannot unmarshal number into Go struct field ObjectMeta.name of type string",
    );
  });
});

describe("validating an object", () => {
  it("asks for the kind, the version and a name before anything else", () => {
    const things = resource({ type: "object" });
    expect(texts(things.validateCreate({ ...thing({}), kind: "Other", apiVersion: "v1" }))).toEqual([
      'kind: Invalid value: "Other": must be Thing',
      'apiVersion: Invalid value: "v1": must be example.com/v1',
    ]);
    expect(texts(things.validateCreate({ ...thing({}), metadata: {} }))).toEqual([
      "metadata.name: Required value: name or generateName is required",
    ]);
  });

  it("does not run rules on an object whose types are wrong", () => {
    const schema = {
      type: "object",
      properties: { n: { type: "integer" } },
      "x-kubernetes-validations": [{ rule: "self.n > 1" }],
    };
    const [first, second] = texts(resource(schema).validateCreate(thing({ n: "x" })));
    expect(first).toBe('spec.n: Invalid value: "string": spec.n in body must be of type integer: "string"');
    expect(second).toContain("some validation rules were not checked");
  });

  it("wants numbers where the scale subresource looks for them", () => {
    const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.n" };
    const things = resource(
      { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      { subresources: { scale } },
    );
    expect(texts(things.validateCreate(thing({ replicas: "x" })))).toEqual([
      ".spec.replicas: Invalid value: 0: .spec.replicas accessor error: x is of the type string, expected int64",
    ]);
    expect(texts(things.validateCreate(thing({ replicas: -1 })))).toEqual([
      ".spec.replicas: Invalid value: -1: should be a non-negative integer",
    ]);
  });

  it("judges only the status of an update of the status", () => {
    const things = resource(
      { type: "object", required: ["a"], properties: { a: { type: "string" } } },
      { subresources: { status: {} } },
    );
    const old = thing({});
    expect(texts(things.validateStatusUpdate({ ...old, status: { n: "x" } }, old))).toEqual([
      'status.n: Invalid value: "string": n in body must be of type integer: "string"',
    ]);
    expect(things.validateStatusUpdate({ ...old, status: { n: 1 } }, old)).toEqual([]);
  });
});

describe("rules", () => {
  const withRule = (
    rule: ValidationRule,
    properties: JSONSchemaProps["properties"] = { l: { type: "array", items: { type: "integer" } } },
  ) => resource({ type: "object", properties, "x-kubernetes-validations": [rule] });

  it("are asked about a change only when there is something to compare with", () => {
    const things = withRule({ rule: "self.l == oldSelf.l", message: "is immutable" });
    expect(things.validateCreate(thing({ l: [1] }))).toEqual([]);
    expect(texts(things.validateUpdate(thing({ l: [2] }), thing({ l: [1] })))).toEqual([
      "spec: Invalid value: is immutable",
    ]);
  });

  it("forgive what they would refuse but nobody touched", () => {
    const things = withRule(
      { rule: "self.l.size() > 3" },
      { l: { type: "array", items: { type: "integer" } }, n: { type: "integer" } },
    );
    expect(things.validateUpdate(thing({ l: [1] }), thing({ l: [1] }))).toEqual([]);
    expect(texts(things.validateUpdate(thing({ l: [1], n: 1 }), thing({ l: [1] })))).toEqual([
      "spec: Invalid value: failed rule: self.l.size() > 3",
    ]);
  });

  it.each([
    "self.l.all(a, self.l.all(b, self.l.all(c, a + b + c > -1)))",
    "self.l.map(a, self.l.map(b, self.l.map(c, [a, b, c]))).size() > 0",
    "self.l.exists(a, self.l.exists(b, self.l.exists(c, a * b * c == -1)))",
    "self.l.map(a, self.l).map(x, x.distinct().size()).sum() > 0",
  ])("that would take too long are ended, and no further one is asked: %s", (rule) => {
    const things = withRule({ rule });
    // If they were not, this would take longer than a test may.
    const errors = texts(things.validateCreate(thing({ l: Array.from({ length: 2000 }, (_, index) => index) })));
    expect(errors).toEqual([
      `spec: Invalid value: "object": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: ${rule}`,
    ]);
  });

  it("share a budget for the whole object", () => {
    // By its lengths, this costs much, and it takes no time.
    const rule = { rule: `!self.contains('${"y".repeat(4_000)}')` };
    const schema: JSONSchemaProps = { type: "array", items: { type: "string", "x-kubernetes-validations": [rule] } };
    const text = "x".repeat(20_000);
    const errors = texts(resource(schema).validateCreate(thing(Array.from({ length: 100 }, () => text))));
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain("running out of cost budget, no further validation rules will be run");
  });

  it("cannot grow a text without end", () => {
    const doubled = Array.from({ length: 40 }).reduce<string>((text) => `${text}.map(x, x + x)`, "[self.s]");
    const things = withRule({ rule: `${doubled}.size() > 0` }, { s: { type: "string" } });
    expect(texts(things.validateCreate(thing({ s: "0123456789" })))[0]).toContain("cost limit exceeded");
  });

  it("nested deeper than anybody writes are refused, not run out of stack on", () => {
    const things = withRule({ rule: `${"(".repeat(5000)}true${")".repeat(5000)}` });
    expect(texts(things.validateCreate(thing({ l: [] })))[0]).toContain("rule compile error");
  });
});
