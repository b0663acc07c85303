import { Regex } from "../regex/regex.ts";
import { RegexSyntaxError } from "../regex/regex-syntax.ts";
import { parseGoDuration } from "../values/loose-duration.ts";
import type { CallNode, CelIssue } from "./cel-node.ts";
import { parseTimestamp } from "./timestamps.ts";

/** A pattern, a duration or a time that is written out is checked with the expression, before there is any data. */
export function literalProblem({ name, target, args }: CallNode): CelIssue | undefined {
  const literal = name === "matches" && target === undefined ? args[1] : args[0];
  if (literal?.kind !== "literal" || typeof literal.value !== "string") return undefined;
  const { value, at } = literal;
  if (name === "matches" && (target !== undefined || args.length === 2) && !isRegex(value))
    return { at, message: "invalid matches argument" };
  if (target !== undefined || args.length !== 1) return undefined;
  if (name === "duration" && parseGoDuration(value) === undefined) return { at, message: "invalid duration argument" };
  if (name === "timestamp" && parseTimestamp(value) === undefined) return { at, message: "invalid timestamp argument" };
  return undefined;
}

function isRegex(pattern: string): boolean {
  try {
    return new Regex(pattern).size > 0;
  } catch (error) {
    if (error instanceof RegexSyntaxError) return false;
    throw error;
  }
}
