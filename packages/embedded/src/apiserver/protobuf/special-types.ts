import { formatDurationNs, formatMicroTime, formatTime } from "@stowage/machinery";
import type { JsonValue } from "@stowage/machinery/apply";
import { ProtobufError } from "./protobuf-error.ts";
import { bytesOf, numberOf, wireFields } from "./wire-reader.ts";

type Decode = (message: Buffer) => JsonValue | undefined;

/** Types that look otherwise in JSON than their structs do. Undefined is what they begin with. */
export const specialTypes: Readonly<Record<string, Decode>> = {
  "meta/v1.Time": (message) => timeOf(message, (micros) => formatTime(Number(micros / 1000n))),
  "meta/v1.MicroTime": (message) => timeOf(message, formatMicroTime),
  "meta/v1.Duration": (message) => formatDurationNs(numberOf(message, 1)),
  "meta/v1.FieldsV1": rawJson,
  "resource.Quantity": (message) => bytesOf(message, 1).toString("utf8"),
  "runtime.RawExtension": rawJson,
  "apiextensions/v1.JSON": rawJson,
  "intstr.IntOrString": (message) =>
    numberOf(message, 1) === 0n ? Number(numberOf(message, 2)) : bytesOf(message, 3).toString("utf8"),
  "authentication/v1.ExtraValue": items,
  "authorization/v1.ExtraValue": items,
  "certificates/v1.ExtraValue": items,
};

/** In microseconds. An empty one is Go's zero time. */
function timeOf(message: Buffer, format: (micros: bigint) => string): JsonValue | undefined {
  return message.length === 0 ? undefined : format(numberOf(message, 1) * 1_000_000n + numberOf(message, 2) / 1000n);
}

function rawJson(message: Buffer): JsonValue | undefined {
  const text = bytesOf(message, 1).toString("utf8");
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw new ProtobufError("invalid JSON in a field that holds JSON");
  }
}

function items(message: Buffer): JsonValue {
  return [...wireFields(message)].filter(({ number }) => number === 1).map(({ bytes }) => bytes.toString("utf8"));
}
