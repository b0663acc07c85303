import { goQuote } from "../../../go-text/index.ts";
import { CelError } from "../cel-error.ts";
import { CelDuration, CelList, CelMap, CelTimestamp, CelTypeValue, CelUint, type CelValue } from "../cel-value.ts";
import type { Meter } from "../meter.ts";
import { doubleText, textOf } from "./conversions.ts";

/** `"%s is %d".format([...])`: the verbs s, d, f, e, b, o, x and X, with a precision for f and e. */
export function formatText(format: string, values: readonly CelValue[], meter: Meter): string {
  let used = 0;
  const shown = format.replace(
    /%(?:%|(?:\.(\d+))?([a-zA-Z]))|%/g,
    (whole, precision: string | undefined, verb: string | undefined) => {
      if (whole === "%%") return "%";
      if (verb === undefined) throw problem("unexpected end of format string");
      const value = values[used++];
      if (value === undefined) throw problem(`index ${used - 1} out of range`);
      const text = formatValue(value, verb, precision === undefined ? 6 : Number(precision));
      meter.spend(text.length * 0.1);
      return text;
    },
  );
  return shown;
}

function problem(detail: string): CelError {
  return new CelError(`could not parse formatting clause: ${detail}`);
}

function formatValue(value: CelValue, verb: string, precision: number): string {
  switch (verb) {
    case "s":
      return plainText(value);
    case "d":
      return wholeText(value);
    case "f":
      return grouped(doubleOf(value, verb), precision);
    case "e":
      return exponentText(doubleOf(value, verb));
    case "b":
      return typeof value === "boolean" ? (value ? "1" : "0") : integerOf(value, verb).toString(2);
    case "o":
      return integerOf(value, verb).toString(8);
    case "x":
    case "X":
      return hexText(value, verb);
    default:
      throw problem(`unrecognized formatting clause "${verb}"`);
  }
}

function plainText(value: CelValue): string {
  if (value === null) return "null";
  if (value instanceof CelList || value instanceof CelMap) return nestedText(value);
  return value instanceof CelTypeValue ? value.name : textOf(value);
}

/** Within lists and maps, texts are quoted and doubles have six decimals. */
function nestedText(value: CelValue): string {
  if (value instanceof CelList) return `[${[...value].map(nestedText).join(", ")}]`;
  if (value instanceof CelMap) {
    const entries = value.keys().map((key) => `${nestedText(key)}:${nestedText(value.find(key) ?? null)}`);
    return `{${entries.sort().join(", ")}}`;
  }
  if (typeof value === "string") return goQuote(value);
  if (typeof value === "number") return grouped(value, 6);
  if (value instanceof CelTimestamp) return `timestamp(${goQuote(textOf(value))})`;
  return value instanceof CelDuration ? `duration(${goQuote(textOf(value))})` : plainText(value);
}

/** As the server's locale writes it: with commas between thousands. */
function grouped(value: number, precision: number): string {
  return value.toLocaleString("en-US", { minimumFractionDigits: precision, maximumFractionDigits: precision });
}

function wholeText(value: CelValue): string {
  if (typeof value === "number" && !Number.isFinite(value)) return doubleText(value);
  return String(integerOf(value, "d"));
}

function integerOf(value: CelValue, verb: string): bigint {
  if (typeof value === "bigint") return value;
  if (value instanceof CelUint) return value.value;
  throw wrongType(value, verb);
}

function doubleOf(value: CelValue, verb: string): number {
  if (typeof value === "number") return value;
  throw wrongType(value, verb);
}

const raised: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from("0123456789-", (digit, index) => [digit, "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"[index] ?? ""]),
);

/** The server's locale writes powers of ten by raised digits. The precision, which it takes for a width, does not count. */
function exponentText(value: number): string {
  const [digits = "", exponent = "0"] = value.toExponential(6).split("e");
  const power = Number(exponent);
  const shown = `${power < 0 ? "-" : ""}${String(Math.abs(power)).padStart(2, "0")}`;
  return `${digits}×10${Array.from(shown, (digit) => raised[digit] ?? "").join("")}`;
}

function hexText(value: CelValue, verb: string): string {
  const text = typeof value === "string" ? hexOf(new TextEncoder().encode(value)) : hexOfValue(value, verb);
  return verb === "X" ? text.toUpperCase() : text;
}

function hexOfValue(value: CelValue, verb: string): string {
  return value instanceof Uint8Array ? hexOf(value) : integerOf(value, verb).toString(16);
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function wrongType(value: CelValue, verb: string): CelError {
  const isTime = value instanceof CelTimestamp || value instanceof CelDuration;
  const what = isTime ? "time" : typeof value;
  return new CelError(`error during formatting: %${verb} cannot be used with a value of type ${what}`);
}
