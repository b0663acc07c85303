import { StowageError } from "../errors/stowage-error.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownField } from "./json-value.ts";

/**
 * Edits of one place in a JSON document, in place: whoever calls owns the document. Paths are lists of names and indexes; a
 * list is addressed by index, from its end when negative, and `-` is the place after its last item.
 */
export function addAt(document: JsonValue, path: readonly string[], value: JsonValue): void {
  const { parent, last } = parentOf(document, path);
  if (!Array.isArray(parent)) setField(parent, last, value);
  else parent.splice(last === "-" ? parent.length : indexIn(last, parent.length + 1), 0, value);
}

export function replaceAt(document: JsonValue, path: readonly string[], value: JsonValue): void {
  const { parent, last } = parentOf(document, path);
  if (!Array.isArray(parent)) setField(parent, last, value);
  else parent[indexIn(last, parent.length)] = value;
}

export function removeAt(document: JsonValue, path: readonly string[]): void {
  const { parent, last } = parentOf(document, path);
  if (Array.isArray(parent)) parent.splice(indexIn(last, parent.length), 1);
  else if (Object.hasOwn(parent, last)) delete parent[last];
  else throw missing(last);
}

/** What is at the path: null, too, where the last part names a field that its object does not have. */
export function readAt(document: JsonValue, path: readonly string[]): JsonValue {
  const { parent, last } = parentOf(document, path);
  return child(parent, last) ?? null;
}

function parentOf(document: JsonValue, path: readonly string[]): { parent: JsonObject | JsonValue[]; last: string } {
  const last = path.at(-1);
  if (last === undefined) throw new StowageError("INVALID_PATCH", "this operation does not work on the whole document");
  let parent = container(document, last);
  for (const [depth, part] of path.slice(0, -1).entries()) {
    const next = child(parent, part);
    if (next === undefined) throw missing(part);
    parent = container(next, path[depth + 1] ?? last);
  }
  return { parent, last };
}

function child(parent: JsonObject | JsonValue[], part: string): JsonValue | undefined {
  return Array.isArray(parent) ? parent[indexIn(part, parent.length)] : ownField(parent, part);
}

function container(value: JsonValue, part: string): JsonObject | JsonValue[] {
  if (Array.isArray(value) || isJsonObject(value)) return value;
  throw new StowageError("INVALID_PATCH", `what should hold ${JSON.stringify(part)} is neither an object nor a list`);
}

/** Defines `__proto__` as a field like any other, as a ConfigMap may have it; to assign it would change the prototype. */
function setField(object: JsonObject, name: string, value: JsonValue): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

function indexIn(part: string, places: number): number {
  const given = /^[+-]?\d+$/.test(part) ? Number(part) : Number.NaN;
  const index = given < 0 ? places + given : given;
  if (index >= 0 && index < places) return index;
  throw new StowageError("INVALID_PATCH", `${JSON.stringify(part)} is not an index of the list there`);
}

function missing(name: string): StowageError {
  return new StowageError("INVALID_PATCH", `there is no ${JSON.stringify(name)}`);
}
