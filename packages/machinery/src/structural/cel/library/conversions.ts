import { decimalForm, goFloat, runeCount } from "../../errors/go-text.ts";
import { parseGoDuration } from "../../values/loose-duration.ts";
import { CelError } from "../cel-error.ts";
import {
  CelDuration,
  type CelList,
  type CelMap,
  CelOpaque,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
  kindOf,
} from "../cel-value.ts";
import { formatTimestamp, parseTimestamp } from "../timestamps.ts";
import { checkedUint, time } from "./operators.ts";
import { fn, method, type Overload } from "./overload.ts";

const identities = ["int", "uint", "double", "string", "bytes", "bool", "timestamp", "duration"];

export const conversionOverloads: readonly Overload[] = [
  ...identities.map((type) => fn<[CelValue]>(type, type, type, ([value]) => value)),
  fn<[CelValue]>("dyn", "T", "dyn", ([value]) => value),
  fn<[CelValue]>("type", "T", "type<T>", ([value]) => new CelTypeValue(runtimeTypeName(value))),
  fn<[number]>("int", "double", "int", ([value]) => wholeOf(value)),
  fn<[CelUint]>("int", "uint", "int", ([{ value }]) => inRange(value, 2n ** 63n, "integer overflow")),
  fn<[string]>("int", "string", "int", ([text]) => parseInteger(text, "int")),
  fn<[CelTimestamp]>("int", "timestamp", "int", ([{ nanos }]) => floorSeconds(nanos)),
  fn<[bigint]>("uint", "int", "uint", ([value]) => checkedUint(value)),
  fn<[number]>("uint", "double", "uint", ([value]) =>
    checkedUint(BigInt(Math.trunc(finite(value, "unsigned integer overflow")))),
  ),
  fn<[string]>("uint", "string", "uint", ([text]) => checkedUint(parseInteger(text, "uint"))),
  fn<[bigint]>("double", "int", "double", ([value]) => Number(value)),
  fn<[CelUint]>("double", "uint", "double", ([{ value }]) => Number(value)),
  fn<[string]>("double", "string", "double", ([text]) => parseDouble(text)),
  ...["bool", "int", "uint", "double", "bytes", "timestamp", "duration"].map((type) =>
    fn<[CelValue]>("string", type, "string", ([value]) => textOf(value)),
  ),
  fn<[string]>("bytes", "string", "bytes", ([text]) => new TextEncoder().encode(text)),
  fn<[string]>("bool", "string", "bool", ([text]) => parseBool(text)),
  fn<[string]>("duration", "string", "duration", ([text]) => parseDuration(text)),
  fn<[bigint]>("duration", "int", "duration", ([seconds]) => new CelDuration(seconds)),
  fn<[string]>("timestamp", "string", "timestamp", ([text]) => parseTime(text)),
  fn<[bigint]>("timestamp", "int", "timestamp", ([seconds]) => time(seconds * 1_000_000_000n)),
  ...sizes("string", (value) => runeCount(value as string)),
  ...sizes("bytes", (value) => (value as Uint8Array).length),
  ...sizes("list<T>", (value) => (value as CelList).size),
  ...sizes("map<K, V>", (value) => (value as CelMap).size),
];

function sizes(type: string, sizeOf: (value: CelValue) => number): Overload[] {
  const apply = ([value]: [CelValue]) => BigInt(sizeOf(value));
  return [fn("size", type, "int", apply), method("size", type, "int", apply)];
}

export function runtimeTypeName(value: CelValue): string {
  if (value instanceof CelOpaque) return value.typeName;
  const kind = kindOf(value);
  const names: Record<string, string> = {
    null: "null_type",
    timestamp: "google.protobuf.Timestamp",
    duration: "google.protobuf.Duration",
    optional: "optional_type",
  };
  return names[kind] ?? kind;
}

function finite(value: number, problem: string): number {
  if (!Number.isFinite(value)) throw new CelError(problem);
  return value;
}

function wholeOf(value: number): bigint {
  return inRange(BigInt(Math.trunc(finite(value, "integer overflow"))), 2n ** 63n, "integer overflow");
}

function inRange(value: bigint, limit: bigint, problem: string): bigint {
  if (value >= limit || value <= -limit) throw new CelError(problem);
  return value;
}

function parseInteger(text: string, type: "int" | "uint"): bigint {
  const isNumber = type === "int" ? /^[+-]?\d{1,400}$/.test(text) : /^\d{1,400}$/.test(text);
  if (!isNumber) throw conversionError(type);
  const value = BigInt(text.replace(/^\+/, ""));
  const fits = type === "int" ? BigInt.asIntN(64, value) === value : BigInt.asUintN(64, value) === value;
  if (!fits) throw conversionError(type);
  return value;
}

function conversionError(type: string): CelError {
  return new CelError(`type conversion error from 'string' to '${type}'`);
}

function parseDouble(text: string): number {
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (special !== null) {
    const size = /^nan$/i.test(special[2] ?? "") ? Number.NaN : Number.POSITIVE_INFINITY;
    return special[1] === "-" ? -size : size;
  }
  if (text.length > 400 || !/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) throw conversionError("double");
  return Number(text);
}

function parseBool(text: string): boolean {
  if (["1", "t", "T", "TRUE", "true", "True"].includes(text)) return true;
  if (["0", "f", "F", "FALSE", "false", "False"].includes(text)) return false;
  throw conversionError("bool");
}

function parseDuration(text: string): CelDuration {
  const nanos = parseGoDuration(text);
  if (nanos === undefined) throw conversionError("google.protobuf.Duration");
  return new CelDuration(nanos);
}

function parseTime(text: string): CelTimestamp {
  const parsed = /[Zz]$|[+-]\d{2}:\d{2}$/.test(text) ? parseTimestamp(text) : undefined;
  if (parsed === undefined) throw conversionError("google.protobuf.Timestamp");
  return parsed;
}

function floorSeconds(nanos: bigint): bigint {
  const seconds = nanos / 1_000_000_000n;
  return nanos < 0n && nanos % 1_000_000_000n !== 0n ? seconds - 1n : seconds;
}

/** As `string()` writes it. */
export function textOf(value: CelValue): string {
  if (typeof value === "number") return doubleText(value);
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof CelTimestamp) return formatTimestamp(value);
  if (value instanceof CelDuration) return secondsText(value.nanos);
  if (value instanceof Uint8Array) return utf8Text(value);
  return typeof value === "boolean" ? String(value) : plainText(value);
}

function plainText(value: CelValue): string {
  return typeof value === "string" || typeof value === "bigint" ? String(value) : runtimeTypeName(value);
}

export function doubleText(value: number): string {
  return Number.isFinite(value) ? goFloat(value) : Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}

function secondsText(nanos: bigint): string {
  return `${decimalForm(Number(nanos) / 1e9)}s`;
}

function utf8Text(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new CelError("invalid UTF-8 in bytes, cannot convert to string");
  }
}
