import type { JsonValue } from "@stowage/machinery/apply";
import { JsonPathError, type JsonPathSteps, type PathStep, parsedPath } from "./json-path-parser.ts";

/** A path to values in an object, as `additionalPrinterColumns` have it. */
export class JsonPath {
  readonly #steps: JsonPathSteps;

  /** Throws JsonPathError when the path cannot be read. */
  constructor(text: string) {
    this.#steps = parsedPath(text);
  }

  /** Undefined where the object has nothing there, or nothing that the path could go on from. */
  first(object: JsonValue): JsonValue | undefined {
    try {
      return followed([object], this.#steps)[0];
    } catch (error) {
      if (error instanceof JsonPathError) return undefined;
      throw error;
    }
  }
}

type Values = readonly JsonValue[];

function followed(values: Values, steps: JsonPathSteps): Values {
  return steps.reduce((found, step) => stepped(found, step), values);
}

function stepped(values: Values, step: PathStep): Values {
  switch (step.type) {
    case "literal":
      return values.length === 0 && typeof step.value !== "string" ? [] : [step.value];
    case "field":
      return values.flatMap((value) => fieldOf(value, step.name));
    case "wildcard":
      return values.flatMap(childrenOf);
    case "recursive":
      return values.flatMap(descendantsOf);
    case "union":
      return step.paths.flatMap((path) => followed(values, path));
    case "slice":
      return values.flatMap((value) => sliceOf(value, step.bounds));
    case "filter":
      return values.flatMap((value) => filtered(value, step));
    case "identifier":
      throw new JsonPathError("loops are for templates");
  }
}

function fieldOf(value: JsonValue, name: string): Values {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.hasOwn(value, name) ? [(value as Record<string, JsonValue>)[name] as JsonValue] : [];
}

function childrenOf(value: JsonValue): Values {
  return typeof value === "object" && value !== null ? Object.values(value) : [];
}

/** All that has something in it, from the outside in. */
function descendantsOf(value: JsonValue): Values {
  const children = childrenOf(value);
  return children.length === 0 && typeof value !== "string" ? [] : [value, ...children.flatMap(descendantsOf)];
}

/** `1`, `-1`, `0:2`, `::2`: the end is left out of it, and counted from the back when it is negative. */
function sliceOf(value: JsonValue, [first = "", end, step = ""]: readonly (string | undefined)[]): Values {
  if (value === null) return [];
  if (!Array.isArray(value)) throw new JsonPathError("no array");
  const { length } = value;
  const from = fromBack(first === "" ? 0 : Number(first), length);
  let to = end === undefined ? Number(first || 0) + 1 : length;
  if (end !== undefined && end !== ":") to = Number(end.slice(1));
  if (to < 0 || (to === 0 && end === undefined)) to += length;
  if (from === to) return [];
  if (from < 0 || from >= length || to < 0 || to > length || from > to) throw new JsonPathError("out of bounds");
  const every = step === "" || step === ":" ? 1 : Number(step.slice(1));
  if (every <= 0) throw new JsonPathError("step must be > 0");
  return value.slice(from, to).filter((_, index) => index % every === 0);
}

function fromBack(index: number, length: number): number {
  return index < 0 ? index + length : index;
}

type Filter = Extract<PathStep, { type: "filter" }>;

function filtered(value: JsonValue, { left, right, operator }: Filter): Values {
  if (!Array.isArray(value)) throw new JsonPathError("no array");
  return value.filter((item) => {
    if (operator === "exists") return hasSome(item, left);
    const [a, b] = [only(followed([item], left)), only(followed([item], right))];
    return a !== undefined && b !== undefined && compares(a, operator, b);
  });
}

/** What cannot be followed counts as being there, strange as it is: the real server has it so. */
function hasSome(item: JsonValue, path: JsonPathSteps): boolean {
  try {
    return followed([item], path).length > 0;
  } catch (error) {
    if (error instanceof JsonPathError) return true;
    throw error;
  }
}

function only(values: Values): JsonValue | undefined {
  if (values.length > 1) throw new JsonPathError("can only compare one element at a time");
  return values[0];
}

/** Values of one type only. Whole numbers and others are of two types. */
function compares(a: JsonValue, operator: string, b: JsonValue): boolean {
  const [kind, other] = [kindOf(a), kindOf(b)];
  if (kind === undefined || kind !== other) throw new JsonPathError("incompatible types for comparison");
  if (operator === "==") return a === b;
  if (operator === "!=") return a !== b;
  if (kind === "boolean" || a === null || b === null) throw new JsonPathError("invalid type for comparison");
  if (operator === "<") return a < b;
  if (operator === "<=") return a <= b;
  if (operator === ">") return a > b;
  if (operator === ">=") return a >= b;
  throw new JsonPathError(`unrecognized filter operator ${operator}`);
}

function kindOf(value: JsonValue): string | undefined {
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "string" || typeof value === "boolean" ? typeof value : undefined;
}
