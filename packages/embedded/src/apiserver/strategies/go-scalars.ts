import { formatMicroTime, formatTime, parseMicroTime, parseTime, Quantity } from "@stowage/machinery";
import type { JsonValue } from "@stowage/machinery/apply";

/** What Go's decoder makes of a value, or what it says of one that it cannot take. */
export type Scalar = { readonly value: JsonValue } | { readonly problem: string } | { readonly goType: string };

type Read = (value: JsonValue, type: string) => Scalar;

const whole =
  (bits: number): Read =>
  (value, goType) =>
    typeof value === "number" && Number.isInteger(value) && Math.abs(value) <= 2 ** (bits - 1) ? { value } : { goType };

const text: Read = (value, goType) => (typeof value === "string" ? { value } : { goType });

/** By type, as Go calls it. What only a type of this name can tell is read here; everything else is a struct, a list or a map. */
export const scalars: Readonly<Record<string, { readonly read: Read; readonly zero: JsonValue }>> = {
  string: { read: text, zero: "" },
  bool: { read: (value, goType) => (typeof value === "boolean" ? { value } : { goType }), zero: false },
  int: { read: whole(64), zero: 0 },
  int32: { read: whole(32), zero: 0 },
  int64: { read: whole(64), zero: 0 },
  uint32: { read: whole(33), zero: 0 },
  float64: { read: (value, goType) => (typeof value === "number" ? { value } : { goType }), zero: 0 },
  "[]byte": { read: (value, goType) => (typeof value === "string" ? bytes(value) : { goType }), zero: "" },
  "resource.Quantity": { read: (value) => ({ value: Quantity.fromJson(value).toString() }), zero: "0" },
  "intstr.IntOrString": {
    read: (value) => (typeof value === "string" ? { value } : whole(32)(value, "int32")),
    zero: 0,
  },
  "meta/v1.Time": { read: (value) => time(value, (sent) => formatTime(parseTime(sent))), zero: null },
  "meta/v1.MicroTime": { read: microTime, zero: null },
  "meta/v1.Duration": { read: (value) => text(value, "string"), zero: "0s" },
  "meta/v1.FieldsV1": { read: (value) => ({ value }), zero: null },
  "runtime.RawExtension": { read: (value) => ({ value }), zero: null },
  "apiextensions/v1.JSON": { read: (value) => ({ value }), zero: null },
};

/** In the only way of writing them that there is. */
function bytes(value: string): Scalar {
  const wrong = /[^A-Za-z0-9+/=\r\n]|=(?!=?$)/u.exec(value);
  if (wrong !== null) return { problem: `illegal base64 data at input byte ${wrong.index}` };
  const plain = value.replaceAll(/[\r\n]/gu, "");
  if (plain.length % 4 !== 0) {
    return { problem: `illegal base64 data at input byte ${plain.length - (plain.length % 4)}` };
  }
  return { value: Buffer.from(plain, "base64").toString("base64") };
}

function time(value: JsonValue, written: (sent: string) => string): Scalar {
  if (typeof value !== "string") return { goType: "string" };
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/u.test(value)) return { value: written(value) };
  const quoted = JSON.stringify(value);
  return { problem: `parsing time ${quoted} as "2006-01-02T15:04:05Z07:00": cannot parse ${quoted} as "2006"` };
}

/** With six decimals, and no other number of them. */
function microTime(value: JsonValue): Scalar {
  if (typeof value !== "string") return { goType: "string" };
  const problem = (part: string, wanted: string) => ({
    problem: `parsing time ${JSON.stringify(value)} as "2006-01-02T15:04:05.000000Z07:00": cannot parse ${JSON.stringify(part)} as "${wanted}"`,
  });
  const [, rest] = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(.*)$/u.exec(value) ?? [];
  if (rest === undefined) return problem(value, "2006");
  if (!/^\.\d{6}(?:Z|[+-]\d\d:\d\d)$/u.test(rest)) return problem(rest, ".000000");
  return { value: formatMicroTime(parseMicroTime(value)) };
}
