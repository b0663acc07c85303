import { StowageError } from "../errors/stowage-error.ts";
import { equalJson, isJsonObject, type JsonObject, type JsonValue, ownField } from "./json-value.ts";

/**
 * Applies a JSON merge patch (RFC 7386) as the Kubernetes API server does, and leaves its inputs alone; the result may share
 * parts with them. The server goes one step past the RFC: null also removes fields of objects inside a list.
 */
export function applyMergePatch<T extends object>(document: T, patch: object): T {
  if (!isJsonObject(patch)) throw new StowageError("MALFORMED_PATCH", "A merge patch is an object");
  return merge(document as JsonValue, patch) as T;
}

function merge(current: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(current)) return withoutNullFields(patch);
  if (!isJsonObject(patch)) return patch;
  const merged = new Map(Object.entries(current));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, merge(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

function withoutNullFields(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNullFields);
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutNullFields(field)]));
}

/** The merge patch that turns one object into another, neither of which holds null: a merge patch cannot set that. */
export function createMergePatch(from: object, to: object): object {
  return diff(from as JsonObject, to as JsonObject);
}

function diff(from: JsonObject, to: JsonObject): JsonObject {
  const removed = Object.keys(from)
    .filter((name) => !Object.hasOwn(to, name))
    .map((name): [string, JsonValue] => [name, null]);
  const changed = Object.entries(to).flatMap(([name, value]): [string, JsonValue][] => {
    const before = ownField(from, name);
    if (equalJson(before, value)) return [];
    return [[name, isJsonObject(before) && isJsonObject(value) ? diff(before, value) : value]];
  });
  return Object.fromEntries([...removed, ...changed]);
}
