import { equalJson, isJsonObject, type JsonObject, type JsonValue } from "../patches/json-value.ts";

/**
 * The object to store: `live` itself when `next` differs from it in nothing but the times of its managers. A write that changes
 * nothing must not make a new version of the object. To be asked last, when defaults and admission have done their work.
 */
export function unlessOnlyTimesChanged(live: JsonObject, next: JsonObject): JsonObject {
  return equalJson(withoutTimes(live), withoutTimes(next)) ? live : next;
}

function withoutTimes(object: JsonObject): JsonValue {
  const metadata = object["metadata"];
  if (!isJsonObject(metadata) || !Array.isArray(metadata["managedFields"])) return object;
  const managedFields = metadata["managedFields"].map((entry) => (isJsonObject(entry) ? timeless(entry) : entry));
  return { ...object, metadata: { ...metadata, managedFields } };
}

function timeless(entry: JsonObject): JsonObject {
  const { time: _, ...rest } = entry;
  return rest;
}
