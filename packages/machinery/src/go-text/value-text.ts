import { compareText } from "./text-order.ts";

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A value of JSON as Go's `%v` prints it. */
export function goText(value: Json): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return `[${value.map(goText).join(" ")}]`;
  if (typeof value === "number") return goNumber(value);
  if (typeof value !== "object") return String(value);
  const fields = Object.entries(value).toSorted(([a], [b]) => compareText(a, b));
  return `map[${fields.map(([name, field]) => `${name}:${goText(field)}`).join(" ")}]`;
}

/** Whole numbers are integers: JSON gives no other sign of it. Others are written with an exponent from a million on. */
function goNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 63) return BigInt(value).toString();
  const magnitude = Math.abs(value);
  if (magnitude >= 1e-4 && magnitude < 1e21) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
}
