import type { JsonObject, JsonValue } from "../patches/json-value.ts";

/** Sets `__proto__` as a field like any other, as a ConfigMap may have it; to assign it would change the prototype. */
export function setField(object: JsonObject, name: string, value: JsonValue): void {
  if (name !== "__proto__") object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

/** More than anybody writes, and less than what the functions here, which call themselves for each level, can stand. */
export const maxDepth = 1000;

export function isTooDeep(value: JsonValue | undefined, levelsLeft = maxDepth): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levelsLeft === 0 || Object.values(value).some((inner) => isTooDeep(inner, levelsLeft - 1));
}
