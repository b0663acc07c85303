import { isJsonObject, type JsonValue } from "./json-value.ts";

/** What a strategic merge patch says besides values. The server knows them by these names. */
export const patchMarker = "$patch";
export const retainKeysMarker = "$retainKeys";
export const orderPrefix = "$setElementOrder";
export const deletionPrefix = "$deleteFromPrimitiveList";

export function isDirective(name: string): boolean {
  return (
    name === patchMarker || name === retainKeysMarker || name.startsWith(orderPrefix) || name.startsWith(deletionPrefix)
  );
}

/** A value of the patch that takes the place of another whole: nulls in it mean nothing, and go. */
export function asWritten(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(asWritten);
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(fields.map(([name, field]) => [name, asWritten(field)]));
}

/** Those that nobody obeyed mean nothing: they were in what took the place of something else, or was added. */
export function withoutDirectives(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutDirectives);
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).filter(([name]) => !isDirective(name));
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutDirectives(field)]));
}

/**
 * A value of the patch for which the object has no counterpart. An object marked with `$patch` in it is an instruction about
 * something that is not there, and goes with all it holds: undefined when that is the value itself.
 */
export function asAdded(value: JsonValue): JsonValue | undefined {
  if (Array.isArray(value)) return value.map(asAdded).filter((item) => item !== undefined);
  if (!isJsonObject(value)) return value;
  if (Object.hasOwn(value, patchMarker)) return undefined;
  const fields = Object.entries(value).flatMap(([name, field]): [string, JsonValue][] => {
    const added = field === null ? undefined : asAdded(field);
    return added === undefined ? [] : [[name, added]];
  });
  return Object.fromEntries(fields);
}
