/** How Go writes values into messages: what users read and search for was printed by these rules. */

/** By the names that Go gives them. */
export const namedEscapes: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};

const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** As `%q` prints a string. */
export function goQuote(text: string): string {
  if (/^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(text)) return `"${text}"`;
  let quoted = "";
  for (const character of text) quoted += namedEscapes[character] ?? quotedCharacter(character);
  return `"${quoted}"`;
}

function quotedCharacter(character: string): string {
  if (printable.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${hex(code, 2)}`;
  if (code >= 0xd800 && code <= 0xdfff) return "\ufffd";
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}

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
    .sort(([a], [b]) => compareBytes(a, b))
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
    (character) => `\\u${hex(character.codePointAt(0) ?? 0, 4)}`,
  );
}

/** The order of Go's strings: of their bytes, which for UTF-8 is that of the code points. */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  const left = Array.from(a);
  const right = Array.from(b);
  for (let position = 0; position < Math.min(left.length, right.length); position++) {
    const difference = (left[position]?.codePointAt(0) ?? 0) - (right[position]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
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
