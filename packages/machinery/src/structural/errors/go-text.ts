import { compareText } from "../../go-text/index.ts";

/** How Go writes values into messages: what users read and search for was printed by these rules. */

/** As `encoding/json` writes a value: keys in order, and no character that could end a script. */
export function goJson(value: unknown): string {
  if (value === undefined) return "null";
  if (typeof value === "string") return jsonText(value);
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number" && isInt64(value)) return BigInt(value).toString();
  if (Array.isArray(value)) return `[${value.map(goJson).join(",")}]`;
  if (value instanceof Map) return structJson(value as Map<string, unknown>);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${fields
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, field]) => `${jsonText(name)}:${goJson(field)}`)
    .join(",")}}`;
}

/** A Go struct: its fields keep their order. */
function structJson(fields: ReadonlyMap<string, unknown>): string {
  return `{${[...fields].map(([name, field]) => `${jsonText(name)}:${goJson(field)}`).join(",")}}`;
}

function jsonText(text: string): string {
  return JSON.stringify(text).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}

/** As `%v` prints a float64: with an exponent from a million on. */
export function goFloat(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const exponent = exponentOf(value);
  return exponent < -4 || exponent >= 6 ? exponentForm(value) : decimalForm(value);
}

function exponentOf(value: number): number {
  return Number(value.toExponential().split("e")[1]);
}

function exponentForm(value: number): string {
  const [digits = "", exponent = "0"] = value.toExponential().split("e");
  const power = Number(exponent);
  return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

/** The shortest digits that read back as the value, without an exponent. */
export function decimalForm(value: number): string {
  const text = String(value);
  if (!text.includes("e")) return text;
  const [digits = "", exponent = "0"] = value.toExponential().split("e");
  const negative = digits.startsWith("-");
  const all = digits.replace(/[-.]/g, "");
  const point = Number(exponent) + 1;
  const shown =
    point <= 0 ? `0.${"0".repeat(-point)}${all}` : `${all.slice(0, point).padEnd(point, "0")}${fraction(all, point)}`;
  return negative ? `-${shown}` : shown;
}

function fraction(digits: string, point: number): string {
  return digits.length > point ? `.${digits.slice(point)}` : "";
}

/** How many code points a text has; surrogates do not count for two. */
export function runeCount(text: string): number {
  let count = text.length;
  for (let position = 0; position < text.length - 1; position++) {
    if ((text.charCodeAt(position) & 0xfc00) === 0xd800 && (text.charCodeAt(position + 1) & 0xfc00) === 0xdc00) {
      count--;
      position++;
    }
  }
  return count;
}

/** JSON does not tell 1 from 1.0 once it is read: what is whole and fits counts as an integer. */
export function isInt64(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
}

/** A number that Go holds as a float64 though it is whole, and so prints as one. */
export class GoFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}
