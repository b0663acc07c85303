import type { KubernetesObject } from "@stowage/machinery";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UndecodedEvent } from "./undecoded-event.ts";

type Fields = Record<string, unknown>;

const entry = (fieldsV1: object) => ({ manager: "m", operation: "Update", fieldsType: "FieldsV1", fieldsV1 });

/** An event as an API server writes it: kind, apiVersion, metadata in front, names and version in front of the metadata. */
const eventOf = (metadata: Fields, more: Fields = {}, type = "MODIFIED") => ({
  type,
  object: {
    kind: "Pod",
    apiVersion: "v1",
    metadata: { name: "a", namespace: "n", uid: "u", resourceVersion: "7", ...metadata },
    ...more,
  },
});

function read(event: object | string): UndecodedEvent<KubernetesObject> | undefined {
  const text = typeof event === "string" ? event : JSON.stringify(event);
  const bytes = Buffer.from(`before${text}after`);
  const line = { bytes, start: "before".length, end: bytes.length - "after".length };
  return UndecodedEvent.read(line, (json) => JSON.parse(json) as KubernetesObject);
}

/** What is left of an event's object: all but managedFields. */
const withoutManagedFields = ({ object }: ReturnType<typeof eventOf>) => {
  const { managedFields, ...metadata } = object.metadata as Fields;
  return { ...object, metadata: managedFields === undefined ? metadata : { ...metadata, managedFields: [] } };
};

describe("an event that is not decoded yet", () => {
  it("tells what it is about", () => {
    const event = read(eventOf({ labels: { a: "b" } }, {}, "ADDED"));
    expect(event?.type).toBe("ADDED");
    expect(event?.identity).toMatchObject({ namespace: "n", name: "a", uid: "u", resourceVersion: "7" });
  });

  it("has no namespace where the object has none, and does not mind a generateName", () => {
    const object = { kind: "PersistentVolume", apiVersion: "v1" };
    const metadata = { name: "a", generateName: "a-", uid: "u", resourceVersion: "7" };
    const event = read({ type: "DELETED", object: { ...object, metadata } });
    expect([event?.type, event?.identity.namespace, event?.identity.name]).toEqual(["DELETED", undefined, "a"]);
  });

  it("decodes its object once, without managedFields", () => {
    const event = read(eventOf({ managedFields: [entry({ "f:spec": {} })] }, { spec: { list: [{ a: "ü" }] } }));
    expect(event?.object).toEqual({
      kind: "Pod",
      apiVersion: "v1",
      metadata: { name: "a", namespace: "n", uid: "u", resourceVersion: "7", managedFields: [] },
      spec: { list: [{ a: "ü" }] },
    });
    expect(event?.object).toBe(event?.object);
    expect(event?.identity).toMatchObject({ namespace: "n", name: "a", uid: "u", resourceVersion: "7" });
  });

  it.each([
    ["the end of a list in a key", { "f:a}]}": {} }],
    ["the end of metadata in a key", { 'f:a}]},"spec': {} }],
    ["a key that ends as metadata do", { "f:a}]},": { "f:b": {} } }],
    ["a quoted key", { 'k:{"name":"x}],"}': {} }],
    ["a backslash at the end of a key", { "f:\\": {} }],
  ])("cuts managedFields exactly, also with %s in them", (_, fields) => {
    const event = eventOf({ managedFields: [entry(fields), entry({})] }, { spec: { z: 1 } });
    expect(read(event)?.object).toEqual(withoutManagedFields(event));
  });

  it("takes no other list's end for that of managedFields, where other keys of the metadata follow them", () => {
    const metadata = { managedFields: [entry({ "f:spec": {} })], annotations: { a: "b" } };
    const event = eventOf(metadata, { spec: { selector: { matchExpressions: [{ key: "k" }] }, volumeName: "v" } });
    expect(read(event)?.object).toEqual(withoutManagedFields(event));
  });

  it("agrees with the plain decoder on anything that a server may send", () => {
    const key = fc.oneof(fc.constantFrom("a}]}", 'b"}],', "}]},", "]", "\\"), fc.string({ maxLength: 6 }));
    const { fields } = fc.letrec<{ fields: Fields }>((tie) => ({
      fields: fc.dictionary(key, fc.oneof({ maxDepth: 3 }, fc.constant({}), tie("fields")), {
        maxKeys: 3,
        noNullPrototype: true,
      }),
    }));
    const annotations = fc.dictionary(key, fc.oneof(key, fc.constant('"managedFields":[{')), {
      maxKeys: 3,
      noNullPrototype: true,
    });
    const managedFields = fc.array(fields.map(entry), { minLength: 1, maxLength: 3 });
    const spec = fc.option(fields, { nil: undefined });
    fc.assert(
      fc.property(annotations, fc.option(managedFields, { nil: undefined }), spec, (notes, managed, specification) => {
        const event = eventOf({ annotations: notes, managedFields: managed }, { spec: specification });
        const whole = JSON.parse(JSON.stringify(event)) as typeof event;
        expect(read(event)?.object).toEqual(withoutManagedFields(whole));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("an event must be decoded to be understood", () => {
  it.each([
    ["is a bookmark", { type: "BOOKMARK", object: eventOf({}).object }],
    ["is an error", { type: "ERROR", object: { kind: "Status" } }],
    [
      "has its keys in another order, as custom resources do",
      {
        type: "ADDED",
        object: { apiVersion: "v1", kind: "Thing", metadata: { name: "a", uid: "u", resourceVersion: "1" } },
      },
    ],
    ["has a name outside ASCII", eventOf({ name: "ä" })],
    ["has a name with an escape in it", eventOf({ name: 'a"b' })],
    ["has an empty name", eventOf({ name: "" })],
    ["has no version", { type: "ADDED", object: { kind: "Pod", apiVersion: "v1", metadata: { name: "a", uid: "u" } } }],
    ["is laid out with spaces", JSON.stringify(eventOf({}), null, 1)],
    ["is cut off in a value", JSON.stringify(eventOf({}, { spec: "value" })).slice(0, -5)],
    ["is empty", ""],
    ["is garbage", "<html>"],
  ])("when it %s", (_, event) => {
    expect(read(event)).toBeUndefined();
  });
});
