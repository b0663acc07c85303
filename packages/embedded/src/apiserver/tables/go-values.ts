import type { JsonValue } from "@stowage/machinery/apply";

/** A value inside a text, as Go writes JSON: keys in order, and nothing that could be taken for HTML. */
export function goJsonText(value: JsonValue): string {
  const text = JSON.stringify(sorted(value));
  return text.replaceAll(/[<>&\u2028\u2029]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, sorted(each)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whole numbers as they are; others with an exponent, of two digits at least, unless it is small. */
export function goNumberText(value: number): string {
  if (Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63) return BigInt(value).toString();
  const [digits = "", exponent = "0"] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}
