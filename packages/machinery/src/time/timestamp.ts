import { StowageError } from "../errors/stowage-error.ts";

const pattern = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

const msPerMinute = 60_000;
const microsPerMs = 1_000n;

/**
 * Reads a `metav1.Time`, in milliseconds since 1970. A fraction of the second and any offset are accepted, what is finer than
 * milliseconds is dropped. Throws INVALID_TIME. Stricter than Go, which also takes hours of one digit and a decimal comma.
 */
export function parseTime(text: string): number {
  const { epochMs, fraction } = readTimestamp(text);
  return epochMs + Number(fraction.slice(0, 3).padEnd(3, "0"));
}

/** Reads a `metav1.MicroTime`, in microseconds since 1970. Exactly six decimals, as Kubernetes insists. Throws INVALID_TIME. */
export function parseMicroTime(text: string): bigint {
  const { epochMs, fraction } = readTimestamp(text);
  if (fraction.length !== 6) throw invalidTime(text, "it does not have six decimals");
  return BigInt(epochMs) * microsPerMs + BigInt(fraction);
}

/** `2026-01-31T15:04:05Z`; what is left of the last second is dropped. */
export function formatTime(epochMs: number): string {
  return `${isoText(epochMs).slice(0, 19)}Z`;
}

/** `2026-01-31T15:04:05.000000Z`. */
export function formatMicroTime(epochMicros: bigint): string {
  const micros = ((epochMicros % microsPerMs) + microsPerMs) % microsPerMs;
  const epochMs = Number((epochMicros - micros) / microsPerMs);
  return `${isoText(epochMs).slice(0, 23)}${micros.toString().padStart(3, "0")}Z`;
}

/** The time without its fraction, and the fraction's digits. */
function readTimestamp(text: string): { epochMs: number; fraction: string } {
  const match = pattern.exec(text);
  if (!match) throw invalidTime(text, "it does not look like 2026-01-31T15:04:05Z");
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as Six;
  const [, , , , , , , fraction = "", sign = "+", offsetHours = "0", offsetMinutes = "0"] = match;
  const local = new Date(0);
  // Not Date.UTC, which takes years below 100 for those of the twentieth century.
  local.setUTCFullYear(year, month - 1, day);
  local.setUTCHours(hour, minute, second);
  // A part out of its range has moved the others.
  if (local.toISOString().slice(0, 19) !== text.slice(0, 19)) throw invalidTime(text, "there is no such date and time");
  const offset = Number(offsetHours) * 60 + Number(offsetMinutes);
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) throw invalidTime(text, "there is no such offset");
  return { epochMs: local.getTime() - (sign === "-" ? -offset : offset) * msPerMinute, fraction };
}

type Six = [number, number, number, number, number, number];

function isoText(epochMs: number): string {
  const date = new Date(epochMs);
  const year = date.getUTCFullYear();
  if (!(year >= 0 && year <= 9999)) throw invalidTime(epochMs, "its year cannot be written with four digits");
  return date.toISOString();
}

function invalidTime(input: string | number, reason: string): StowageError {
  return new StowageError("INVALID_TIME", `time ${JSON.stringify(input)} is not valid: ${reason}`);
}
