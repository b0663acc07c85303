import { decimalForm, GoFloat, goFloat, isInt64 } from "../errors/go-text.ts";
import type { SchemaNode } from "../schema/schema-node.ts";
import { invalidFinding, plainFinding, ValueResult } from "./value-result.ts";

/** A number against its type's range, then its multiple, its minimum and its maximum, in this order. */
export function checkNumber(value: number, node: SchemaNode, path: string): ValueResult {
  const { multipleOf, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = node.values;
  const result = new ValueResult();
  const range = new NumberRange(node);
  const ofType = range.problem(value, "Checked", path);
  if (ofType !== undefined) result.add(plainFinding(ofType));
  if (multipleOf !== undefined) {
    const problem = range.problem(multipleOf, "MultipleOf", path);
    if (problem !== undefined) result.add(plainFinding(problem));
    checkMultiple(result, { value, limit: multipleOf, native: problem === undefined, path });
  }
  if (minimum !== undefined) {
    const problem = range.problem(minimum, "Minimum boundary", path);
    if (problem !== undefined) result.add(plainFinding(problem));
    const word = exclusiveMinimum ? "greater than" : "greater than or equal to";
    const isBelow = (a: number, b: number) => a < b || (exclusiveMinimum && a === b);
    checkLimit(result, { value, limit: minimum, native: problem === undefined, path }, word, isBelow);
  }
  if (maximum !== undefined) {
    const problem = range.problem(maximum, "Maximum boundary", path);
    if (problem !== undefined) result.add(plainFinding(problem));
    const word = exclusiveMaximum ? "less than" : "less than or equal to";
    const isAbove = (a: number, b: number) => a > b || (exclusiveMaximum && a === b);
    checkLimit(result, { value, limit: maximum, native: problem === undefined, path }, word, isAbove);
  }
  result.matchCount++;
  return result;
}

interface Limit {
  readonly value: number;
  readonly limit: number;
  /** The limit fits the type, so that integers are compared as such: its fraction does not count. */
  readonly native: boolean;
  readonly path: string;
}

function checkLimit(
  result: ValueResult,
  { value, limit, native, path }: Limit,
  word: string,
  isBeyond: (a: number, b: number) => boolean,
): void {
  const asInteger = native && isInt64(value);
  const shownLimit = asInteger ? Math.trunc(limit) : limit;
  if (!isBeyond(value, shownLimit)) return;
  const text = asInteger ? decimalForm(shownLimit) : goFloat(shownLimit);
  const shown = asInteger ? value : new GoFloat(value);
  result.add(invalidFinding(path, shown, `${path} in body should be ${word} ${text}`));
}

function checkMultiple(result: ValueResult, { value, limit, native, path }: Limit): void {
  const asInteger = native && isInt64(value);
  const factor = asInteger ? Math.trunc(limit) : limit;
  const text = asInteger ? decimalForm(factor) : goFloat(factor);
  if (factor <= 0) {
    result.add(
      invalidFinding(
        path,
        asInteger ? factor : new GoFloat(factor),
        `factor MultipleOf declared for ${path} must be positive: ${text}`,
      ),
    );
    return;
  }
  if (!isMultiple(value, factor, asInteger))
    result.add(
      invalidFinding(path, asInteger ? value : new GoFloat(value), `${path} in body should be a multiple of ${text}`),
    );
}

function isMultiple(value: number, factor: number, asInteger: boolean): boolean {
  if (asInteger) return value % factor === 0;
  const quotient = factor < 1 ? (1 / factor) * value : value / factor;
  return isNearlyWhole(quotient);
}

/** The original forgives what binary fractions cannot hold, by a part in a billion. */
export function isNearlyWhole(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  const whole = Math.trunc(value);
  if (value === whole) return true;
  if (whole === 0) return false;
  return Math.abs(value - whole) / (Math.abs(value) + Math.abs(whole)) < 1e-9;
}

/** The range that a type and its format leave. */
class NumberRange {
  readonly #type: string;
  readonly #format: string;

  constructor(node: SchemaNode) {
    const type = node.types.length === 1 ? (node.types[0] ?? "") : "";
    this.#type = type === "integer" || type === "number" ? type : "";
    this.#format = this.#type === "" ? "" : node.values.format;
  }

  problem(value: number, what: string, path: string): string | undefined {
    if (this.#fits(value)) return undefined;
    const format = this.#format === "" ? "(default format)" : `with format ${this.#format}`;
    return `${what} value must be of type ${this.#type} ${format} in ${path}`;
  }

  #fits(value: number): boolean {
    if (this.#type === "integer") {
      if (this.#format === "int32") return Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31;
      return isInt64(value);
    }
    return this.#format !== "float" || Math.abs(value) <= 3.4028234663852886e38;
  }
}
