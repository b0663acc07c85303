/**
 * How a quantity is written: powers of 1024 (`Ki`, `Mi`), powers of 1000 (`k`, `M`, `m`) or a decimal exponent (`e3`). A
 * quantity remembers the one it was read with.
 */
export type QuantityFormat = "BinarySI" | "DecimalSI" | "DecimalExponent";

/** From small to large, three decimal places apart, beginning with nano. */
const decimalSuffixes = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"] as const;
const smallestDecimalExponent = -9;

/** From small to large, ten binary places apart. */
const binarySuffixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"] as const;

/** The powers that the largest suffixes, `E` and `Ei`, stand for. */
export const largestDecimalExponent = 18;
export const largestPowerOf1024 = 6;

/**
 * Kubernetes takes larger ones, but wraps them around at 32 bits, and to compute with what is just below takes hundreds of
 * megabytes. Four digits are far beyond any real quantity and still cheap.
 */
const largestWrittenExponent = 9999;

export interface SuffixMeaning {
  readonly format: QuantityFormat;
  readonly base: 2 | 10;
  readonly exponent: number;
}

const meanings: ReadonlyMap<string, SuffixMeaning> = new Map([
  ...binarySuffixes.map((suffix, i): [string, SuffixMeaning] => [
    suffix,
    { format: "BinarySI", base: 2, exponent: 10 * i },
  ]),
  // After the binary ones, because a number without a suffix is decimal.
  ...decimalSuffixes.map((suffix, i): [string, SuffixMeaning] => [
    suffix,
    { format: "DecimalSI", base: 10, exponent: smallestDecimalExponent + 3 * i },
  ]),
]);

/** What a suffix stands for, or undefined when there is no such suffix. `E` alone is exa, `E3` an exponent. */
export function suffixMeaning(suffix: string): SuffixMeaning | undefined {
  const known = meanings.get(suffix);
  if (known) return known;
  const exponent = /^[eE]([+-]?\d+)$/.exec(suffix)?.[1];
  if (exponent === undefined || Math.abs(Number(exponent)) > largestWrittenExponent) return undefined;
  return { format: "DecimalExponent", base: 10, exponent: Number(exponent) };
}

/** `exponent` is a multiple of three, from -9 to `largestDecimalExponent`. */
export function decimalSuffix(exponent: number): string {
  return decimalSuffixes[(exponent - smallestDecimalExponent) / 3] ?? "";
}

export function binarySuffix(powerOf1024: number): string {
  return binarySuffixes[powerOf1024] ?? "";
}
