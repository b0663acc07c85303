import { StowageError } from "../errors/stowage-error.ts";

const nanosPerUnit: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["us", 1_000n],
  ["µs", 1_000n],
  // Unlike the micro sign above, this is the Greek letter, which some keyboards give.
  ["μs", 1_000n],
  ["ms", 1_000_000n],
  ["s", 1_000_000_000n],
  ["m", 60_000_000_000n],
  ["h", 3_600_000_000_000n],
]);

const nanosPerMs = 1_000_000n;
const largestNanos = 2n ** 63n - 1n;

/** Reads a duration as Go does; throws INVALID_DURATION, also when it is longer than 64 bits of nanoseconds (292 years). */
export function parseDurationNs(text: string): bigint {
  const unsigned = text.replace(/^[+-]/, "");
  if (unsigned === "0") return 0n;
  if (unsigned === "") throw invalidDuration(text, "it is empty");
  const isNegative = text.startsWith("-");
  // The most negative duration has no positive counterpart.
  const limit = isNegative ? largestNanos + 1n : largestNanos;
  let total = 0n;
  for (const [term, whole = "", point, fraction = "", unit = ""] of unsigned.matchAll(/(\d*)(\.?)(\d*)([^.\d]*)/g)) {
    if (term === "") break;
    if (whole === "" && fraction === "")
      throw invalidDuration(text, `${JSON.stringify(term)} does not begin with a number`);
    if (unit === "") throw invalidDuration(text, `${JSON.stringify(whole + point + fraction)} has no unit`);
    const nanos = nanosPerUnit.get(unit);
    if (nanos === undefined)
      throw invalidDuration(text, `unit ${JSON.stringify(unit)} is not one of ns, us, ms, s, m, h`);
    total += BigInt(whole) * nanos + fractionNanos(fraction, nanos);
    if (total > limit) throw invalidDuration(text, "it is too long");
  }
  return isNegative ? -total : total;
}

/** Rounds down to whole nanoseconds in Go's way, floating-point error included: `0.3333333333333333333h` is 20 minutes. */
function fractionNanos(fraction: string, nanos: bigint): bigint {
  let digits = 0n;
  let scale = 1;
  for (const digit of fraction) {
    const next = digits * 10n + BigInt(digit);
    if (digits > largestNanos / 10n || next > largestNanos + 1n) break;
    digits = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(digits) * (Number(nanos) / scale)));
}

/** May have a fraction: `parseDurationMs("1500us")` is 1.5. */
export function parseDurationMs(text: string): number {
  return Number(parseDurationNs(text)) / Number(nanosPerMs);
}

/** Writes a duration as Go does: `1h0m0.5s`, `1.5ms`, `0s`. */
export function formatDurationNs(nanos: bigint): string {
  const size = nanos < 0n ? -nanos : nanos;
  return (nanos < 0n ? "-" : "") + (size < 1_000_000_000n ? formatShort(size) : formatLong(size));
}

/** Fractions of a nanosecond are dropped. */
export function formatDurationMs(durationMs: number): string {
  return formatDurationNs(BigInt(Math.trunc(durationMs * Number(nanosPerMs))));
}

function formatShort(nanos: bigint): string {
  if (nanos === 0n) return "0s";
  if (nanos < 1_000n) return `${nanos}ns`;
  if (nanos < nanosPerMs) return `${decimal(nanos, 3)}µs`;
  return `${decimal(nanos, 6)}ms`;
}

function formatLong(nanos: bigint): string {
  const minutes = nanos / 60_000_000_000n;
  const seconds = `${decimal(nanos % 60_000_000_000n, 9)}s`;
  if (minutes === 0n) return seconds;
  return minutes < 60n ? `${minutes}m${seconds}` : `${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

/** `amount` divided by ten to the `places`, without trailing zeros. */
function decimal(amount: bigint, places: number): string {
  const digits = amount.toString().padStart(places + 1, "0");
  const fraction = digits.slice(-places).replace(/0+$/, "");
  return digits.slice(0, -places) + (fraction && `.${fraction}`);
}

function invalidDuration(text: string, reason: string): StowageError {
  return new StowageError("INVALID_DURATION", `duration ${JSON.stringify(text)} is not valid: ${reason}`);
}
