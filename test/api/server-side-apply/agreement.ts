import type { ManagedFieldsEntry } from "@stowage/machinery";
import { type JsonObject, unlessOnlyTimesChanged } from "@stowage/machinery/apply";
import { expect } from "vitest";
import type { Json } from "./json-parts.ts";

/** An object as the server has it. */
export interface Stored extends Json {
  readonly kind: string;
  readonly metadata: StoredMetadata;
}

interface StoredMetadata extends Json {
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/** What came out of one write, here and on the server. */
export interface Both {
  readonly before: Stored | undefined;
  readonly ours: Stored;
  readonly theirs: Stored;
}

/** The same object, with the same managed fields, in the same order. `what` is shown when they differ. */
export function expectSame({ before, ours, theirs }: Both, what: object, isCustom: boolean): void {
  const [here, there] = [comparable(ours), comparable(theirs)];
  expect({ what, before, fields: fieldsOf(here), object: here }).toEqual({
    what,
    before,
    fields: fieldsOf(there),
    object: there,
  });
  // The server writes the fields of an object of a CRD in the order of their text, as all else in it.
  const text = (object: Stored) => JSON.stringify(isCustom ? sorted(fieldsOf(object)) : fieldsOf(object));
  expect(text(ours)).toBe(text(theirs));
}

/** A write that changes nothing but times makes no new version, any other does; times are then the server's, to the second. */
export function expectVersion({ before, ours, theirs }: Both): void {
  if (before === undefined) return;
  const { resourceVersion, generation } = before.metadata;
  const own = { resourceVersion, ...(generation !== undefined && { generation }) };
  const next = { ...ours, metadata: { ...ours.metadata, ...own } };
  const isSame = unlessOnlyTimesChanged(asJson(before), asJson(next)) === before;
  expect({ before, isSame }).toEqual({ before, isSame: theirs.metadata.resourceVersion === resourceVersion });
  expect(timesOf(isSame ? before : ours)).toEqual(timesOf(theirs));
}

/** What an answer has is JSON, though its type does not say so. */
export function asJson(object: object): JsonObject {
  return object as JsonObject;
}

function fieldsOf(object: Stored): unknown[] {
  return (object.metadata.managedFields ?? []).map(({ fieldsV1 }) => fieldsV1);
}

function timesOf(object: Stored): unknown[] {
  return (object.metadata.managedFields ?? []).map(({ time }) => time);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  const fields = Object.entries(value as Json).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, below]) => [name, sorted(below)]));
}

/** Without what differs from one object to another, or from one run to another. */
function comparable(object: Stored): Stored {
  const { uid: _uid, resourceVersion: _version, generation: _generation, ...rest } = object.metadata;
  const { creationTimestamp: _created, managedFields = [], ...metadata } = rest;
  const timeless = managedFields.map(({ time: _time, ...entry }) => entry);
  const result = { ...object, metadata: { ...metadata, managedFields: timeless } };
  if (object.kind !== "Service") return result;
  const { clusterIP: _ip, clusterIPs: _ips, ...spec } = object["spec"] as Json;
  return { ...result, spec };
}

/** An applied object of a CRD is stored with empty labels and the like until its next write, but never shown with them. */
export function hidesEmptyMetadata(ours: Stored, theirs: Stored): boolean {
  const isEmpty = (value: unknown) => typeof value === "object" && value !== null && Object.keys(value).length === 0;
  return ["labels", "annotations", "finalizers"].some(
    (name) => isEmpty(ours.metadata[name]) && theirs.metadata[name] === undefined,
  );
}
