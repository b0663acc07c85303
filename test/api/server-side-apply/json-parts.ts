export type Json = Record<string, unknown>;

/** An object inside an object; an empty one where there is none. */
export function part(object: Json, name: string): Json {
  const value = object[name];
  return typeof value === "object" && value !== null ? (value as Json) : {};
}
