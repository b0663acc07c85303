import { compareText, goQuote, goText } from "../go-text/index.ts";
import { equalJson, isJsonObject, type JsonValue } from "../patches/json-value.ts";
import { goJson } from "./go-text.ts";

/**
 * One step of a path into an object. `id` is how a field set writes it, the same for equal elements:
 * `f:name` a field, `k:{…}` the item of a list with these keys, `v:…` the item of a set, `i:…` a place in a list.
 */
export type PathElement = FieldElement | KeyElement | ValueElement | IndexElement;

interface FieldElement {
  readonly kind: "field";
  readonly id: string;
  readonly name: string;
}

interface KeyElement {
  readonly kind: "key";
  readonly id: string;
  /** In the order of their names. */
  readonly keys: readonly KeyField[];
}

interface ValueElement {
  readonly kind: "value";
  readonly id: string;
  readonly value: JsonValue;
}

interface IndexElement {
  readonly kind: "index";
  readonly id: string;
  readonly index: number;
}

export type KeyField = readonly [name: string, value: JsonValue];

export type Path = readonly PathElement[];

export function fieldElement(name: string): PathElement {
  return { kind: "field", id: `f:${name}`, name };
}

export function keyElement(fields: readonly KeyField[]): PathElement {
  const keys = fields.toSorted(([a], [b]) => compareText(a, b));
  // Names are written as they are, only their values have markup escaped.
  const text = keys.map(([name, value]) => `${JSON.stringify(name)}:${goJson(value)}`).join(",");
  return { kind: "key", id: `k:{${text}}`, keys };
}

export function valueElement(value: JsonValue): PathElement {
  return { kind: "value", id: `v:${goJson(value)}`, value };
}

export function indexElement(index: number): PathElement {
  return { kind: "index", id: `i:${index}`, index };
}

/** A path of plain fields. */
export function fieldPath(...names: readonly string[]): Path {
  return names.map(fieldElement);
}

/** Undefined for a kind of element that nobody knows yet; what is no element at all is a SyntaxError. */
export function parsePathElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new SyntaxError("key must be 2 characters long:");
  if (text[1] !== ":") throw new SyntaxError(`missing colon: ${text}`);
  const content = text.slice(2);
  switch (text[0]) {
    case "f":
      return fieldElement(content);
    case "k":
      return keyElement(Object.entries(parsedKeys(content)));
    case "v":
      return valueElement(JSON.parse(content) as JsonValue);
    case "i":
      if (!/^[+-]?\d+$/.test(content)) throw new SyntaxError(`no index: ${text}`);
      return indexElement(Number(content));
    case undefined:
    default:
      return undefined;
  }
}

function parsedKeys(content: string): Record<string, JsonValue> {
  const keys = JSON.parse(content) as JsonValue;
  if (!isJsonObject(keys)) throw new SyntaxError(`no keys: ${content}`);
  return keys;
}

const kindOrder = ["field", "key", "value", "index"] as const;

/** The order in which a field set is written. */
export function compareElements(a: PathElement, b: PathElement): number {
  if (a.kind === "field" && b.kind === "field") return compareText(a.name, b.name);
  if (a.kind === "key" && b.kind === "key") return compareKeys(a.keys, b.keys);
  if (a.kind === "value" && b.kind === "value") return compareValues(a.value, b.value);
  if (a.kind === "index" && b.kind === "index") return a.index - b.index;
  return kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind);
}

function compareKeys(a: readonly KeyField[], b: readonly KeyField[]): number {
  for (const [position, [name, value]] of a.entries()) {
    const other = b[position];
    if (other === undefined) return 1;
    const order = compareText(name, other[0]) || compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareValues(a: JsonValue, b: JsonValue): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  const order = valueRank(a) - valueRank(b);
  // Keys are scalars; lists and objects only need some order that stays the same.
  return order !== 0 || equalJson(a, b) ? order : compareText(goJson(a), goJson(b));
}

function valueRank(value: JsonValue): number {
  if (value === null) return 5;
  if (Array.isArray(value)) return 3;
  return { number: 0, string: 1, boolean: 2, object: 4 }[typeof value as "number" | "string" | "boolean" | "object"];
}

/** `.spec.ports[port=80,protocol="TCP"]`, as messages have it. */
export function pathText(path: Path): string {
  return path.map(elementText).join("");
}

export function elementText(element: PathElement): string {
  switch (element.kind) {
    case "field":
      return `.${element.name}`;
    case "key":
      return `[${element.keys.map(([name, value]) => `${name}=${scalarText(value)}`).join(",")}]`;
    case "value":
      return `[=${scalarText(element.value)}]`;
    case "index":
      return `[${element.index}]`;
  }
}

function scalarText(value: JsonValue): string {
  if (value === null) return "null";
  return typeof value === "string" ? goQuote(value) : goText(value);
}
