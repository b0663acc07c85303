import { isJsonObject, type JsonValue } from "../patches/json-value.ts";

/**
 * Text as Go writes it. Field sets are compared byte by byte by those who read them, and people search for the messages that
 * they know, so both must come out as they do on the original.
 */

/** Strings in the order of their UTF-8 bytes; JavaScript's own order differs beyond the basic plane. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  let position = 0;
  while (position < length && a.charCodeAt(position) === b.charCodeAt(position)) position++;
  if (position === length) return a.length < b.length ? -1 : 1;
  return orderedUnit(a.charCodeAt(position)) < orderedUnit(b.charCodeAt(position)) ? -1 : 1;
}

/** Surrogates stand for what comes after the rest of the basic plane. */
function orderedUnit(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

const escaped: Readonly<Record<string, string>> = {
  "\\b": "\\u0008",
  "\\f": "\\u000c",
  "<": "\\u003c",
  ">": "\\u003e",
  "&": "\\u0026",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
};

/** JSON as Go's encoder writes it: the names of objects sorted, what HTML could take for markup escaped. */
export function goJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(goJson).join(",")}]`;
  if (isJsonObject(value)) {
    const names = Object.keys(value).toSorted(compareText);
    return `{${names.map((name) => `${goJson(name)}:${goJson(value[name] ?? null)}`).join(",")}}`;
  }
  return JSON.stringify(value).replace(/\\[^]|[<>&\u2028\u2029]/g, (found) => escaped[found] ?? found);
}

const quoted: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  '"': '\\"',
  "\\": "\\\\",
};

/** `%q`. */
export function goQuote(text: string): string {
  const inner = text.replace(/["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, (found) => quoted[found] ?? escapedRune(found));
  return `"${inner}"`;
}

function escapedRune(found: string): string {
  const code = found.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x80) return `\\x${hex.padStart(2, "0")}`;
  return code < 0x1_0000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

/** `%v`. */
export function goText(value: JsonValue): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return `[${value.map(goText).join(" ")}]`;
  if (!isJsonObject(value)) return typeof value === "number" ? goNumber(value) : String(value);
  const names = Object.keys(value).toSorted(compareText);
  return `map[${names.map((name) => `${name}:${goText(value[name] ?? null)}`).join(" ")}]`;
}

/** `%#v`. */
export function goSyntax(value: JsonValue): string {
  if (value === null) return "interface {}(nil)";
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  if (!isJsonObject(value)) return typeof value === "string" ? goQuote(value) : goText(value);
  const names = Object.keys(value).toSorted(compareText);
  return `map[string]interface {}{${names.map((name) => `${goQuote(name)}:${goSyntax(value[name] ?? null)}`).join(", ")}}`;
}

/** `%T`. */
export function goType(value: JsonValue): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return "[]interface {}";
  if (isJsonObject(value)) return "map[string]interface {}";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  return typeof value === "boolean" ? "bool" : "string";
}

/** Whole numbers are integers: JSON gives no other sign of it. Others are written with an exponent from a million on. */
function goNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 63) return BigInt(value).toString();
  const magnitude = Math.abs(value);
  if (magnitude >= 1e-4 && magnitude < 1e21) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
}
