import { qualifiedNameErrors } from "@stowage/machinery";
import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, invalid, tooLong } from "@stowage/machinery/structural";
import { textOf } from "../json-fields.ts";

const mostBytes = 256 * 1024;

/** Of annotations that are not an object's own, such as those of a template. */
export function annotationErrors(annotations: JsonObject, path: string): FieldError[] {
  const errors = Object.keys(annotations).flatMap((key) =>
    qualifiedNameErrors(key.toLowerCase()).map((problem) => invalid(path, key, problem)),
  );
  const bytes = Object.entries(annotations).reduce((sum, [key, value]) => sum + sizeOf(key) + sizeOf(textOf(value)), 0);
  return bytes > mostBytes ? [...errors, tooLong(path, mostBytes)] : errors;
}

function sizeOf(text: string): number {
  return Buffer.byteLength(text);
}
