import { compareText, goQuote, goText } from "../go-text/index.ts";
import { isJsonObject, type JsonValue } from "../patches/json-value.ts";

/**
 * Text as Go writes it. Field sets are compared byte by byte by those who read them, and people search for the messages that
 * they know, so both must come out as they do on the original.
 */

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
