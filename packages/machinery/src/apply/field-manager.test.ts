import { describe, expect, it } from "vitest";
import type { ManagedFieldsEntry } from "../api/generated/meta-v1.ts";
import { hasErrorCode } from "../errors/stowage-error.ts";
import type { JsonObject, JsonValue } from "../patches/json-value.ts";
import { ApplyConflictError } from "./conflicts.ts";
import { applyConfiguration, trackUpdate } from "./field-manager.ts";
import type { ManagedKind } from "./managed-kind.ts";
import { builtInKind, customKind } from "./managed-kinds.ts";
import { unlessOnlyTimesChanged } from "./timestamps.ts";

const start = Date.parse("2026-01-01T00:00:00Z");

/** Writes to one object, one second after the other. */
class Written {
  live: JsonObject | undefined;
  #nowMs = start;
  readonly #kind: ManagedKind;

  constructor(kind: ManagedKind | undefined) {
    if (kind === undefined) throw new Error("There is no such kind");
    this.#kind = kind;
  }

  apply(manager: string, fields: JsonObject, force = false): this {
    const { apiVersion, kind } = this.#kind;
    const applied = { apiVersion, kind, metadata: { name: "x" }, ...fields };
    this.live = applyConfiguration(this.#kind, { live: this.live, applied, manager, force, nowMs: this.#tick() });
    return this;
  }

  update(manager: string, fields: JsonObject): this {
    const { apiVersion, kind } = this.#kind;
    const next = { apiVersion, kind, metadata: { name: "x", uid: "1" }, ...fields };
    this.live = trackUpdate(this.#kind, { live: this.live, next, manager, nowMs: this.#tick() });
    return this;
  }

  /** Who owns what, and since which second. */
  get owners(): string[] {
    const { managedFields = [] } = (this.live?.["metadata"] ?? {}) as { managedFields?: ManagedFieldsEntry[] };
    return managedFields.map(({ manager, operation, time, fieldsV1, subresource }) => {
      const seconds = time === undefined ? "never" : (Date.parse(time) - start) / 1000;
      const place = subresource === undefined ? "" : `/${subresource}`;
      return `${manager} ${operation}${place} @${seconds} ${JSON.stringify(fieldsV1)}`;
    });
  }

  #tick(): number {
    this.#nowMs += 1000;
    return this.#nowMs;
  }
}

const configMap = () => new Written(builtInKind("v1", "ConfigMap"));
const service = () => new Written(builtInKind("v1", "Service"));

function refusal(write: () => unknown): unknown {
  try {
    write();
  } catch (error) {
    return error;
  }
  throw new Error("It was not refused");
}

describe("applying", () => {
  it("makes the object, and its applier the owner of what it said", () => {
    const object = configMap().apply("ann", { data: { a: "1" } });
    expect(object.live).toMatchObject({ data: { a: "1" }, metadata: { name: "x" } });
    expect(object.owners).toEqual(['ann Apply @1 {"f:data":{"f:a":{}}}']);
  });

  it("removes what the applier leaves out, unless somebody else owns it", () => {
    const object = configMap()
      .apply("ann", { data: { a: "1", b: "1" } })
      .apply("bob", { data: { b: "1" } });
    object.apply("ann", { data: {} });
    expect(object.live?.["data"]).toEqual({ b: "1" });
    expect(object.owners).toEqual(['bob Apply @never {"f:data":{"f:b":{}}}', 'ann Apply @3 {"f:data":{}}']);
  });

  it("leaves a field alone of which no owner is known, unless it goes with what it is in", () => {
    const object = configMap().apply("ann", { data: { a: "1", b: "1" } });
    object.live = { ...object.live, data: { a: "1", b: "1", c: "3" } };
    object.apply("ann", { data: { a: "1" } });
    expect(object.live["data"]).toEqual({ a: "1", c: "3" });
    object.apply("ann", {});
    expect(object.live["data"]).toBeUndefined();
  });

  it("is a conflict where somebody else's value would change, and says so in the words of Kubernetes", () => {
    const object = configMap().update("kubectl", { data: { a: "1", b: "1" } });
    expect(refusal(() => object.apply("ann", { data: { a: "2" } }))).toMatchObject({
      message: 'Apply failed with 1 conflict: conflict with "kubectl" using v1: .data.a',
      causes: [{ reason: "FieldManagerConflict", message: 'conflict with "kubectl" using v1', field: ".data.a" }],
    });
    object.apply("bob", { data: { b: "1" } });
    const error = refusal(() => object.apply("ann", { data: { a: "2", b: "2" } }));
    expect(error).toBeInstanceOf(ApplyConflictError);
    expect(error).toMatchObject({
      message:
        'Apply failed with 3 conflicts: conflicts with "bob":\n- .data.b\nconflicts with "kubectl" using v1:\n- .data.a\n- .data.b',
    });
  });

  it("takes the field when it is forced, and is no conflict where the value is the same", () => {
    const object = configMap().update("kubectl", { data: { a: "1", b: "1" } });
    object.apply("ann", { data: { a: "2", b: "1" } }, true);
    expect(object.owners).toEqual([
      'ann Apply @2 {"f:data":{"f:a":{},"f:b":{}}}',
      'kubectl Update @1 {"f:data":{".":{},"f:b":{}}}',
    ]);
  });

  it("tells ports apart by number and protocol, and takes TCP for granted", () => {
    const object = service().apply("ann", {
      spec: {
        ports: [
          { port: 53, protocol: "UDP", name: "u" },
          { port: 53, name: "t" },
        ],
      },
    });
    object.apply("bob", { spec: { ports: [{ port: 53, protocol: "TCP", targetPort: 5353 }] } });
    expect(object.live?.["spec"]).toMatchObject({
      ports: [
        { port: 53, protocol: "UDP", name: "u" },
        { port: 53, protocol: "TCP", name: "t", targetPort: 5353 },
      ],
    });
  });

  it.each<[string, JsonObject, string]>([
    [
      "of two items with the same keys",
      { spec: { ports: [{ port: 1 }, { port: 1, protocol: "TCP" }] } },
      '.spec.ports: duplicate entries for key [port=1,protocol="TCP"]',
    ],
    ["of a field that the type does not have", { spec: { port: 1 } }, ".spec.port: field not declared in schema"],
    [
      "of a number where text belongs",
      { spec: { clusterIP: 1 } },
      ".spec.clusterIP: expected string, got &value.valueUnstructured{Value:1}",
    ],
    [
      "of text where a number belongs",
      { spec: { ports: [{ port: "x" }] } },
      '.spec.ports[port="x",protocol="TCP"].port: expected numeric (int or float), got string',
    ],
    ["of a list where a map belongs", { spec: { selector: ["a", 1] } }, ".spec.selector: expected map, got &{[a 1]}"],
    [
      "of a map where a list belongs",
      { spec: { ports: { b: 1, a: null } } },
      ".spec.ports: expected list, got &{map[a:<nil> b:1]}",
    ],
    [
      "of an item without any of its keys",
      { metadata: { ownerReferences: [null] } },
      ".metadata.ownerReferences: element 0: associative list with keys may not have a null element",
    ],
  ])("is refused because %s", (_title, fields, message) => {
    const error = refusal(() => service().apply("ann", fields));
    expect(hasErrorCode(error, "APPLY_INVALID_OBJECT")).toBe(true);
    expect(error).toMatchObject({
      message: expect.stringMatching(/^failed to create typed patch object \(\/x?; \/v1, Kind=Service\): /) as string,
    });
    expect((error as Error).message.endsWith(`: ${message}`)).toBe(true);
  });

  it.each<[JsonObject, string]>([
    [{ kind: "Secret" }, "invalid object type: /v1, Kind=Secret"],
    [{ metadata: { managedFields: [] } }, "metadata.managedFields must be nil"],
  ])("is refused for %j", (fields, message) => {
    const error = refusal(() => configMap().apply("ann", fields));
    expect(hasErrorCode(error, "APPLY_REFUSED")).toBe(true);
    expect(error).toMatchObject({ message });
  });

  it("gives what nobody kept count of to before-first-apply", () => {
    const object = configMap();
    object.live = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x", uid: "1" }, data: { a: "1" } };
    object.apply("ann", { data: { a: "1" } });
    expect(object.owners).toEqual([
      'ann Apply @never {"f:data":{"f:a":{}}}',
      'before-first-apply Update @1 {"f:data":{".":{},"f:a":{}}}',
    ]);
  });

  it("keeps fields that look like parts of JavaScript", () => {
    const data = JSON.parse('{"__proto__":"1","constructor":"2"}') as JsonObject;
    const object = configMap()
      .apply("ann", { data })
      .apply("bob", { data: { toString: "3" } });
    expect(JSON.stringify(object.live?.["data"])).toBe('{"__proto__":"1","constructor":"2","toString":"3"}');
    object.apply("ann", {});
    expect(JSON.stringify(object.live?.["data"])).toBe('{"toString":"3"}');
  });
});

describe("kubectl, coming from client-side apply,", () => {
  const annotation = "kubectl.kubernetes.io/last-applied-configuration";
  const lastApplied = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", data: { a: "1", b: "1" } });

  it("takes over what it applied, and keeps the annotation up to date", () => {
    const object = configMap().update("kubectl-client-side-apply", {
      data: { a: "1", b: "1" },
      metadata: { name: "x", uid: "1", annotations: { [annotation]: lastApplied } },
    });
    object.apply("kubectl", { data: { a: "<2>" } });
    expect(object.live?.["metadata"]).toMatchObject({
      annotations: {
        [annotation]: `{"apiVersion":"v1","data":{"a":"\\u003c2\\u003e"},"kind":"ConfigMap","metadata":{"name":"x"}}\n`,
      },
    });
    expect(refusal(() => object.apply("ann", { data: { b: "9" } }))).toBeInstanceOf(ApplyConflictError);
  });

  it("does not take over what somebody changed since", () => {
    const object = configMap()
      .update("kubectl-client-side-apply", {
        data: { a: "1", b: "1" },
        metadata: { name: "x", uid: "1", annotations: { [annotation]: lastApplied } },
      })
      .update("ann", {
        data: { a: "1", b: "7" },
        metadata: { name: "x", uid: "1", annotations: { [annotation]: lastApplied } },
      });
    expect(refusal(() => object.apply("kubectl", { data: { a: "2", b: "2" } }))).toMatchObject({
      message: 'Apply failed with 1 conflict: conflict with "ann" using v1: .data.b',
    });
  });
});

const sound = { manager: "m", operation: "Apply", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1: {} };
const hostile: JsonValue[] = [
  null,
  "text",
  [],
  { ...sound, manager: 1 },
  { ...sound, time: "yesterday" },
  { ...sound, fieldsType: "FieldsV2" },
  { ...sound, fieldsV1: [] },
  { ...sound, fieldsV1: { "f:a": "text" } },
  { ...sound, fieldsV1: { "k:{": {} } },
];

describe("an update", () => {
  it("owns what it sets, and takes from everybody what it removes", () => {
    const object = configMap().apply("ann", { data: { a: "1", b: "1", c: "1" } });
    object.update("bob", { data: { a: "2", b: "1", d: "1" } });
    expect(object.owners).toEqual([
      'ann Apply @1 {"f:data":{"f:b":{}}}',
      'bob Update @2 {"f:data":{"f:a":{},"f:d":{}}}',
    ]);
  });

  it("adds to what its manager owned before, and leaves the time alone when it changes nothing", () => {
    const object = configMap()
      .update("ann", { data: { a: "1" } })
      .update("ann", { data: { a: "1", b: "1" } });
    object.update("ann", { data: { a: "1", b: "1" } });
    expect(object.owners).toEqual(['ann Update @2 {"f:data":{".":{},"f:a":{},"f:b":{}}}']);
  });

  it("owns nothing of what the server writes into every object", () => {
    const metadata = {
      name: "x",
      namespace: "n",
      uid: "1",
      generation: 1,
      resourceVersion: "1",
      creationTimestamp: "t",
      selfLink: "s",
    };
    expect(configMap().update("ann", { metadata }).owners).toEqual([]);
  });

  it("of a new object counts from what an empty one has", () => {
    const object = new Written(builtInKind("apps/v1", "Deployment"));
    object.update("ann", {
      spec: { strategy: { type: "Recreate" }, template: { spec: { containers: [{ name: "a" }] } } },
      status: { replicas: 1 },
    });
    expect(object.owners).toEqual([
      String.raw`ann Update @1 {"f:spec":{"f:strategy":{"f:type":{}},"f:template":{"f:spec":{"f:containers":{"k:{\"name\":\"a\"}":{".":{},"f:name":{}}}}}}}`,
    ]);
  });

  it("folds the oldest of more than ten updaters into one", () => {
    const object = configMap();
    const data: Record<string, string> = {};
    for (let position = 10; position < 22; position++) {
      data[`k${position}`] = "1";
      object.update(`u${position}`, { data: { ...data } });
    }
    expect(object.owners.map((owner) => owner.split(" ", 3).join(" "))).toEqual([
      "ancient-changes Update @3",
      ...Array.from({ length: 9 }, (_, position) => `u${position + 13} Update @${position + 4}`),
    ]);
    expect(object.owners[0]).toContain('{"f:data":{".":{},"f:k10":{},"f:k11":{},"f:k12":{}}}');
  });

  it.each<[string, JsonObject[], string[]]>([
    ["keeps none when it sends an empty list", [], []],
    ["keeps none when it sends an empty entry", [{}], []],
    [
      "keeps the live ones when it sends what cannot be read",
      [{ manager: "m", operation: "Other" }],
      ['ann Apply @1 {"f:data":{"f:a":{}}}'],
    ],
    ...hostile.map((entry): [string, JsonObject[], string[]] => [
      `keeps the live ones when it sends ${JSON.stringify(entry)}`,
      [entry as JsonObject],
      ['ann Apply @1 {"f:data":{"f:a":{}}}'],
    ]),
    [
      "counts from those that it sends",
      [{ manager: "m", operation: "Apply", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1: { "f:data": {} } }],
      ['m Apply @never {"f:data":{}}'],
    ],
  ])("%s as managed fields", (_title, managedFields, owners) => {
    const object = configMap().apply("ann", { data: { a: "1" } });
    object.update("bob", { data: { a: "1" }, metadata: { name: "x", uid: "1", managedFields } });
    expect(object.owners).toEqual(owners);
  });
});

describe("a custom resource", () => {
  const text = { type: "string" };
  const tags = { type: "array", items: text, "x-kubernetes-list-type": "set" };
  const schema = {
    type: "object",
    properties: {
      spec: { type: "object", properties: { tags, whole: { type: "array", items: text } } },
      status: { type: "object", properties: { phase: text } },
    },
  };
  const definition = {
    group: "g",
    kind: "K",
    versions: ["v1", "v2"].map((name) => ({ name, schema, hasStatus: true })),
  };

  it("has its sets merged and its other lists taken whole", () => {
    const object = new Written(customKind(definition, "v1")).apply("ann", { spec: { tags: ["a", "b"], whole: ["a"] } });
    object.apply("bob", { spec: { tags: ["c", "b"] } }).apply("ann", { spec: { tags: ["b"], whole: ["x"] } });
    expect(object.live?.["spec"]).toEqual({ tags: ["c", "b"], whole: ["x"] });
  });

  it("does not give the status to who writes the object, nor the object to who writes the status", () => {
    const main = new Written(customKind(definition, "v1"));
    main.apply("ann", { spec: { tags: [] }, status: { phase: "a" } });
    expect(main.owners).toEqual([]);
    const status = new Written(customKind(definition, "v1", "status"));
    status.live = { apiVersion: "g/v1", kind: "K", metadata: { name: "x", uid: "1" }, spec: { tags: ["a"] } };
    status.apply("bob", { spec: { tags: ["z"] }, status: { phase: "b" } });
    expect(status.owners[0]).toBe('bob Apply/status @1 {"f:status":{"f:phase":{}}}');
  });

  it("keeps an applier over versions, and forgets managers of versions that are gone", () => {
    const object = new Written(customKind(definition, "v1")).apply("ann", { spec: { tags: ["a"] } });
    const next = new Written(customKind(definition, "v2"));
    next.live = { ...object.live, apiVersion: "g/v2" };
    next.apply("ann", { spec: { tags: ["b"] } });
    expect(next.live["spec"]).toEqual({ tags: ["b"] });
    expect(next.owners).toHaveLength(1);
    const only = customKind({ ...definition, versions: definition.versions.slice(0, 1) }, "v1");
    const last = new Written(only);
    last.live = { ...next.live, apiVersion: "g/v1" };
    last.apply("bob", { spec: { tags: ["c"] } });
    expect(last.owners.map((owner) => owner.split(" ", 1)[0])).toEqual(["bob"]);
  });
});

describe("an object of ten thousand levels", () => {
  const kind = customKind(
    { group: "g", kind: "K", versions: [{ name: "v1", schema: undefined, hasStatus: false }] },
    "v1",
  );
  let spec: JsonObject = {};
  for (let level = 0; level < 10_000; level++) spec = { a: spec };

  it("is not applied", () => {
    expect(
      hasErrorCode(
        refusal(() => new Written(kind).apply("ann", { spec })),
        "APPLY_INVALID_OBJECT",
      ),
    ).toBe(true);
  });

  it("is updated without managed fields", () => {
    expect(new Written(kind).update("ann", { spec }).owners).toEqual([]);
  });

  it("is one too many, but one of 900 is not", () => {
    let below: JsonObject = {};
    for (let level = 0; level < 900; level++) below = { a: below };
    expect(new Written(kind).apply("ann", { spec: below }).update("bob", { spec: {} }).owners).toHaveLength(1);
  });
});

describe("a write that changes nothing but times", () => {
  it("is none", () => {
    const before = configMap().apply("ann", { data: { a: "1" } }).live ?? {};
    const later = structuredClone(before);
    for (const entry of (later["metadata"] as { managedFields: JsonObject[] }).managedFields)
      entry["time"] = "2027-01-01T00:00:00Z";
    expect(unlessOnlyTimesChanged(before, later)).toBe(before);
    const changed = { ...later, data: {} };
    expect(unlessOnlyTimesChanged(before, changed)).toBe(changed);
  });
});
