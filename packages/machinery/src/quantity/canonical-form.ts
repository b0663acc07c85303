import { nanosPerUnit } from "./grammar.ts";
import {
  binarySuffix,
  decimalSuffix,
  largestDecimalExponent,
  largestPowerOf1024,
  type QuantityFormat,
} from "./suffixes.ts";

/**
 * The one way to write an amount in a format: no fraction, and the largest suffix that loses nothing.
 *
 * Beyond `E` and `Ei` Kubernetes drops the suffix, so that its 1000E prints as `1`. Here the largest suffix stays (`1000E`):
 * printing must not change an amount.
 */
export function canonicalForm(nanos: bigint, format: QuantityFormat): string {
  if (nanos === 0n) return "0";
  const sign = nanos < 0n ? "-" : "";
  const size = nanos < 0n ? -nanos : nanos;
  // Powers of 1024 cannot tell a fraction, and below 1024 there is no suffix to write.
  const isBinary = format === "BinarySI" && size >= 1024n * nanosPerUnit && size % nanosPerUnit === 0n;
  return sign + (isBinary ? binaryForm(size / nanosPerUnit) : decimalForm(size, format));
}

function binaryForm(units: bigint): string {
  let mantissa = units;
  let power = 0;
  while (power < largestPowerOf1024 && mantissa % 1024n === 0n) {
    mantissa /= 1024n;
    power++;
  }
  return `${mantissa}${binarySuffix(power)}`;
}

function decimalForm(nanos: bigint, format: QuantityFormat): string {
  const digits = nanos.toString();
  let mantissaLength = digits.length;
  while (digits[mantissaLength - 1] === "0") mantissaLength--;
  const exactExponent = digits.length - mantissaLength - 9;
  const largest = format === "DecimalExponent" ? Number.POSITIVE_INFINITY : largestDecimalExponent;
  const exponent = Math.min(Math.floor(exactExponent / 3) * 3, largest);
  return digits.slice(0, mantissaLength + exactExponent - exponent) + decimalEnding(exponent, format);
}

function decimalEnding(exponent: number, format: QuantityFormat): string {
  if (format !== "DecimalExponent") return decimalSuffix(exponent);
  return exponent === 0 ? "" : `e${exponent}`;
}
