import type { JsonValue } from "../../patches/json-value.ts";
import { isInt64 } from "../errors/go-text.ts";
import type { SchemaNode } from "../schema/schema-node.ts";
import { isNearlyWhole } from "./number-checks.ts";
import { typeFinding, ValueResult } from "./value-result.ts";

/**
 * Whether a value is of the type. A text or a list passes for any type of text that has a format: whether it has that format is
 * another check, which lists do not get. So the API server does it.
 */
export function checkType(value: JsonValue, node: SchemaNode, path: string): ValueResult {
  const problem = typeProblem(value, node);
  const result = new ValueResult();
  if (problem === undefined) result.matchCount++;
  else result.add(typeFinding(path, problem.wanted, problem.found));
  return result;
}

interface TypeProblem {
  readonly wanted: string;
  readonly found: string;
}

function typeProblem(value: JsonValue, { types, nullable, values }: SchemaNode): TypeProblem | undefined {
  if (value === null) return types.length > 0 && !nullable ? { wanted: types.join(","), found: "null" } : undefined;
  const found = typeOf(value);
  const isText = typeof value === "string" || Array.isArray(value);
  const takesNumbers = types.includes("number") || types.includes("integer");
  const fits =
    types.includes(found.type) ||
    (found.type === "number" && types.includes("integer") && isNearlyWhole(value as number)) ||
    (found.type === "integer" && types.includes("number"));
  const { format } = values;
  if (format !== "" && !isText && !fits && found.format !== format) return { wanted: format, found: found.format };
  if (format !== "" && isText && !takesNumbers) return undefined;
  return fits ? undefined : { wanted: types.join(","), found: found.type };
}

/** The name of a value's type, and the format that goes with it. */
function typeOf(value: Exclude<JsonValue, null>): { type: string; format: string } {
  if (typeof value === "string") return { type: "string", format: "" };
  if (typeof value === "boolean") return { type: "boolean", format: "" };
  if (typeof value === "number")
    return isInt64(value) ? { type: "integer", format: "int64" } : { type: "number", format: "float64" };
  return { type: Array.isArray(value) ? "array" : "object", format: "" };
}
