import { InvalidQuantityError } from "./invalid-quantity-error.ts";
import { divideAwayFromZero } from "./rounding.ts";
import { type QuantityFormat, type SuffixMeaning, suffixMeaning } from "./suffixes.ts";

export const nanosPerUnit = 1_000_000_000n;

/** Binary quantities stop here when they are read; decimal ones do not. */
const largestBinaryNanos = (2n ** 63n - 1n) * nanosPerUnit;

/** No two neighbours can begin alike, so that a refusal takes one pass however long the text is. */
const shape = /^([+-]?)(\d*)(?:\.(\d*))?((?:[eEinumkKMGTP]+[+-]?\d*|[+-]\d*)?)$/;
const wrongShape = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

export interface ParsedQuantity {
  readonly nanos: bigint;
  readonly format: QuantityFormat;
  /** What was written, where Kubernetes prints that again rather than the canonical form. */
  readonly text?: string;
}

interface WrittenNumber {
  readonly negative: boolean;
  /** All digits without leading zeros before the point; "0" stands in for a missing whole part. */
  readonly digits: string;
  readonly fractionLength: number;
  readonly hasDigits: boolean;
}

/** Reads a quantity exactly as Kubernetes does, oddities included; throws INVALID_QUANTITY. */
export function parseQuantityText(text: string): ParsedQuantity {
  const match = shape.exec(text);
  if (!match || text === "") throw new InvalidQuantityError(text, wrongShape);
  const [, sign, whole = "", fraction = "", suffix = ""] = match;
  const meaning = suffixMeaning(suffix);
  if (!meaning) throw new InvalidQuantityError(text, "unable to parse quantity's suffix");
  const number: WrittenNumber = {
    negative: sign === "-",
    digits: (whole.replace(/^0+/, "") || "0") + fraction,
    fractionLength: fraction.length,
    hasDigits: whole !== "" || fraction !== "",
  };
  if (isSmall(number, meaning)) {
    const small = { nanos: nanosOf(number, meaning), format: meaning.format };
    return isKeptAsWritten(number, meaning) ? { ...small, text } : small;
  }
  if (!number.hasDigits) throw new InvalidQuantityError(text, "unable to parse numeric part of quantity");
  return parseLarge(number, meaning);
}

/**
 * Kubernetes handles numbers that surely fit into 64 bits apart from the others, and the difference shows: only these may lack
 * digits altogether (`Ki` is 0, `Pi` is refused), and only these are printed as they were written.
 */
function isSmall({ digits, fractionLength }: WrittenNumber, { base, exponent }: SuffixMeaning): boolean {
  if (base === 2) return fractionLength === 0 && digits.length <= 14 - (exponent * 3) / 10;
  return digits.length <= 18 && exponent - fractionLength >= -9;
}

/** Kubernetes' quick test for "already canonical". It lets `+1Ki`, `007`, `1.500` and `1E3` through, which thus stay so. */
function isKeptAsWritten({ digits, fractionLength }: WrittenNumber, { base, exponent }: SuffixMeaning): boolean {
  if (base === 2) return BigInt(digits) % 8n !== 0n;
  return (exponent - fractionLength) % 3 === 0 && !digits.endsWith("000") && !digits.startsWith("0");
}

function parseLarge(number: WrittenNumber, meaning: SuffixMeaning): ParsedQuantity {
  const nanos = nanosOf(number, meaning);
  if (meaning.format !== "BinarySI") return { nanos, format: meaning.format };
  const size = nanos < 0n ? -nanos : nanos;
  // Less than one cannot be told in powers of 1024.
  if (size > 0n && size < nanosPerUnit) return { nanos, format: "DecimalSI" };
  const capped = size > largestBinaryNanos ? largestBinaryNanos : size;
  return { nanos: number.negative ? -capped : capped, format: "BinarySI" };
}

function nanosOf({ negative, digits, fractionLength }: WrittenNumber, { base, exponent }: SuffixMeaning): bigint {
  const multiplier = exponent > 0 ? BigInt(base) ** BigInt(exponent) : 1n;
  const divisor = 10n ** BigInt(fractionLength + Math.max(-exponent, 0));
  const size = divideAwayFromZero(BigInt(digits) * multiplier * nanosPerUnit, divisor);
  return negative ? -size : size;
}
