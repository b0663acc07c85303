import { isDeepStrictEqual } from "node:util";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";

/** What is not of its type counts as nothing: whatever comes here has been read already. */
export function fieldsOf(value: JsonValue | undefined): JsonObject {
  return isFields(value) ? value : {};
}

export function isFields(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

export function textsOf(value: JsonValue | undefined): string[] {
  return listOf(value).filter((item) => typeof item === "string");
}

export function numberOf(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}

export function metadataOf(object: JsonObject): JsonObject {
  return fieldsOf(object["metadata"]);
}

export function specOf(object: JsonObject): JsonObject {
  return fieldsOf(object["spec"]);
}

export type Changes = Readonly<Record<string, JsonValue | undefined>>;

/** Undefined removes a field. */
export function withFields(object: JsonObject, changes: Changes): JsonObject {
  const changed = { ...object, ...changes };
  // Most changes remove nothing, and every write makes a dozen of them.
  if (!Object.values(changed).includes(undefined)) return changed as JsonObject;
  return Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined)) as JsonObject;
}

export function withMetadata(object: JsonObject, changes: Changes): JsonObject {
  return { ...object, metadata: withFields(metadataOf(object), changes) };
}

export function sameJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return isDeepStrictEqual(a, b);
}
