import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, invalid } from "@stowage/machinery/structural";
import { textOf } from "../../json-fields.ts";
import { configKeyProblems } from "../pods/checks/value-checks.ts";

export const mostBytes = 1024 * 1024;

/** Keys become names of files. */
export function keyErrors(field: string, key: string): FieldError[] {
  return configKeyProblems(key).map((problem) => invalid(`${field}[${key}]`, key, problem));
}

export function binaryBytes(data: JsonObject): number {
  return Object.values(data).reduce<number>((sum, value) => sum + Buffer.byteLength(textOf(value), "base64"), 0);
}
