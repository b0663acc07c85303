import type { JsonPatchOperation } from "./json-patch.ts";
import { extendPointer } from "./json-pointer.ts";
import { equalJson, isJsonObject, type JsonObject, type JsonValue, ownField } from "./json-value.ts";

/**
 * The JSON Patch that turns one document into another: applied to `from` it gives `to`. Lists are compared place by place,
 * which is exact but not the shortest when an item is inserted at the front.
 */
export function createJsonPatch(from: unknown, to: unknown): JsonPatchOperation[] {
  return diffValues(from as JsonValue, to as JsonValue, "");
}

function diffValues(from: JsonValue, to: JsonValue, path: string): JsonPatchOperation[] {
  if (equalJson(from, to)) return [];
  if (Array.isArray(from) && Array.isArray(to)) return diffLists(from, to, path);
  if (isJsonObject(from) && isJsonObject(to)) return diffObjects(from, to, path);
  return [{ op: "replace", path, value: to }];
}

function diffObjects(from: JsonObject, to: JsonObject, path: string): JsonPatchOperation[] {
  const removed = Object.keys(from)
    .filter((name) => !Object.hasOwn(to, name))
    .map((name): JsonPatchOperation => ({ op: "remove", path: extendPointer(path, name) }));
  const changed = Object.entries(to).flatMap(([name, value]): JsonPatchOperation[] => {
    const place = extendPointer(path, name);
    const before = ownField(from, name);
    return before === undefined ? [{ op: "add", path: place, value }] : diffValues(before, value, place);
  });
  return [...removed, ...changed];
}

function diffLists(from: readonly JsonValue[], to: readonly JsonValue[], path: string): JsonPatchOperation[] {
  const shared = to
    .slice(0, from.length)
    .flatMap((value, position) => diffValues(from[position] as JsonValue, value, extendPointer(path, position)));
  const added = to
    .slice(from.length)
    .map((value): JsonPatchOperation => ({ op: "add", path: extendPointer(path, "-"), value }));
  // From the end, so that each removal leaves the indexes of the next alone.
  const removed = from
    .slice(to.length)
    .map((_, surplus): JsonPatchOperation => ({ op: "remove", path: extendPointer(path, to.length + surplus) }))
    .toReversed();
  return [...shared, ...added, ...removed];
}
