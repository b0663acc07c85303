import { canonicalForm } from "./canonical-form.ts";
import { nanosPerUnit, type ParsedQuantity, parseQuantityText } from "./grammar.ts";
import { InvalidQuantityError } from "./invalid-quantity-error.ts";
import { divideAwayFromZero } from "./rounding.ts";
import type { QuantityFormat } from "./suffixes.ts";

const nanosPerMilli = 1_000_000n;

/** Not tabs and newlines: the API server does not allow those around a quantity. */
const spaced = /^[\p{Z}\u0085]*([^\p{Z}\u0085]+)[\p{Z}\u0085]*$/u;

/**
 * An exact amount of a resource, such as `1.5Gi` of storage or `250m` of a processor. Immutable; precise to a billionth, and
 * anything finer is rounded away from zero when it is read. Never a floating-point number.
 */
export class Quantity {
  static readonly zero: Quantity = new Quantity({ nanos: 0n, format: "DecimalSI" });

  /** How the amount is written; arithmetic keeps the format of its left side, unless that is zero. */
  readonly format: QuantityFormat;
  readonly #nanos: bigint;
  /** Set while the quantity must print as it was written. */
  readonly #text: string | undefined;

  private constructor(parts: ParsedQuantity) {
    this.format = parts.format;
    this.#nanos = parts.nanos;
    this.#text = parts.text;
  }

  /** Throws INVALID_QUANTITY. Binary quantities (`Ki` … `Ei`) beyond 2^63-1 are capped there, as Kubernetes does. */
  static parse(text: string): Quantity {
    return new Quantity(parseQuantityText(text));
  }

  /** Reads a quantity from a manifest: a string, around which white space is allowed, or a plain number. */
  static fromJson(value: unknown): Quantity {
    if (typeof value === "string") return Quantity.parse(spaced.exec(value)?.[1] ?? value);
    if (typeof value === "number" && Number.isFinite(value)) return Quantity.parse(String(value));
    throw new InvalidQuantityError(value, "it is neither a string nor a number");
  }

  static fromBytes(bytes: bigint, format: QuantityFormat = "BinarySI"): Quantity {
    return new Quantity({ nanos: bytes * nanosPerUnit, format });
  }

  static fromMilli(thousandths: bigint, format: QuantityFormat = "DecimalSI"): Quantity {
    return new Quantity({ nanos: thousandths * nanosPerMilli, format });
  }

  add(other: Quantity): Quantity {
    return this.#resultWith(other, this.#nanos + other.#nanos);
  }

  subtract(other: Quantity): Quantity {
    return this.#resultWith(other, this.#nanos - other.#nanos);
  }

  negate(): Quantity {
    return new Quantity({ nanos: -this.#nanos, format: this.format });
  }

  /** Rounds away from zero to thousandths, as the API server does with resource lists (requests, limits, capacities). */
  roundUpToMilli(): Quantity {
    if (this.#nanos % nanosPerMilli === 0n) return this;
    return Quantity.fromMilli(this.milliValue(), this.format);
  }

  compare(other: Quantity): -1 | 0 | 1 {
    if (this.#nanos === other.#nanos) return 0;
    return this.#nanos < other.#nanos ? -1 : 1;
  }

  /** Whether both are the same amount, however written. */
  equals(other: Quantity): boolean {
    return this.compare(other) === 0;
  }

  isZero(): boolean {
    return this.#nanos === 0n;
  }

  isNegative(): boolean {
    return this.#nanos < 0n;
  }

  /** In whole units, rounded away from zero. Not limited to 64 bits. */
  value(): bigint {
    return divideAwayFromZero(this.#nanos, nanosPerUnit);
  }

  /** `value()` for quantities that count bytes. */
  toBytes(): bigint {
    return this.value();
  }

  /** In thousandths, rounded away from zero. Not limited to 64 bits. */
  milliValue(): bigint {
    return divideAwayFromZero(this.#nanos, nanosPerMilli);
  }

  /** The one canonical way to write the amount in its format. */
  canonical(): string {
    return canonicalForm(this.#nanos, this.format);
  }

  /**
   * As Kubernetes prints it: in canonical form, except for the few ways of writing that its parser takes for canonical and
   * repeats (`1.500`, `1E3`, `+1Ki`).
   */
  toString(): string {
    return this.#text ?? this.canonical();
  }

  toJSON(): string {
    return this.toString();
  }

  #resultWith(other: Quantity, nanos: bigint): Quantity {
    return new Quantity({ nanos, format: this.isZero() ? other.format : this.format });
  }
}
