import { goQuote } from "../go-text/index.ts";
import { isJsonObject, type JsonValue, ownField } from "../patches/json-value.ts";
import { type KeyField, keyElement, type PathElement, valueElement } from "./path-element.ts";
import type { ListSchema } from "./typed-schema.ts";

/** The element of an item of a list that is not atomic; a string says why it has none. */
export function itemElement(list: ListSchema, item: JsonValue): PathElement | string {
  return list.keys.length > 0 ? keyedElement(list, item) : setElement(item);
}

function keyedElement(list: ListSchema, item: JsonValue): PathElement | string {
  if (item === null) return "associative list with keys may not have a null element";
  if (!isJsonObject(item)) return "associative list with keys may not have non-map elements";
  const fields = list.item().map?.fields;
  const keys: KeyField[] = [];
  for (const name of list.keys) {
    const value = ownField(item, name) ?? (Object.hasOwn(item, name) ? null : fields?.get(name)?.default);
    // A key that is left out makes another item than one that is there.
    if (value !== undefined) keys.push([name, value as JsonValue]);
  }
  if (keys.length > 0) return keyElement(keys);
  const names = `[${list.keys.map(goQuote).join(" ")}]`;
  return `associative list with keys has an element that omits all key fields ${names} (and doesn't have default values for any key fields)`;
}

function setElement(item: JsonValue): PathElement | string {
  if (item === null) return "associative list without keys has an element that's an explicit null";
  if (Array.isArray(item)) return "not supported: associative list with lists as elements";
  if (isJsonObject(item)) return "associative list without keys has an element that's a map type";
  return valueElement(item);
}

/** The same for a list that has been validated. */
export function validElement(list: ListSchema, item: JsonValue): PathElement {
  const element = itemElement(list, item);
  if (typeof element === "string") throw new TypeError(`A list was not validated: ${element}`);
  return element;
}
