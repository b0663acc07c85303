import { goQuote } from "../../go-text/index.ts";
import { GoFloat, goFloat, goJson, isInt64 } from "./go-text.ts";

export type FieldErrorType =
  | "FieldValueNotFound"
  | "FieldValueRequired"
  | "FieldValueDuplicate"
  | "FieldValueInvalid"
  | "FieldValueNotSupported"
  | "FieldValueForbidden"
  | "FieldValueTooLong"
  | "FieldValueTooMany"
  | "FieldValueTypeInvalid"
  | "InternalError";

/** What is wrong with one field, in the words of the API server. */
export interface FieldError {
  readonly type: FieldErrorType;
  /** `<nil>` where it is about the object as a whole: so the API server writes it. */
  readonly field: string;
  /** Without the field's path. */
  readonly body: string;
}

const titles: Readonly<Record<FieldErrorType, string>> = {
  FieldValueNotFound: "Not found",
  FieldValueRequired: "Required value",
  FieldValueDuplicate: "Duplicate value",
  FieldValueInvalid: "Invalid value",
  FieldValueNotSupported: "Unsupported value",
  FieldValueForbidden: "Forbidden",
  FieldValueTooLong: "Too long",
  FieldValueTooMany: "Too many",
  FieldValueTypeInvalid: "Invalid value",
  InternalError: "Internal error",
};

/** Stands for a value that a message must not repeat, such as a whole object. */
export const omittedValue: unique symbol = Symbol("omitted");

export function invalid(path: string, value: unknown, detail: string): FieldError {
  return fieldError("FieldValueInvalid", path, value, detail);
}

export function typeInvalid(path: string, value: unknown, detail: string): FieldError {
  return fieldError("FieldValueTypeInvalid", path, value, detail);
}

/** Of something that is named and is not there. */
export function notFound(path: string, value: unknown, detail = ""): FieldError {
  return fieldError("FieldValueNotFound", path, value, detail);
}

/** Of what could not be checked. */
export function uncheckable(path: string, detail: string): FieldError {
  return fieldError("InternalError", path, omittedValue, detail);
}

export function required(path: string, detail = ""): FieldError {
  return fieldError("FieldValueRequired", path, omittedValue, detail);
}

export function forbidden(path: string, detail: string): FieldError {
  return fieldError("FieldValueForbidden", path, omittedValue, detail);
}

export function duplicate(path: string, value: unknown): FieldError {
  return fieldError("FieldValueDuplicate", path, value, "");
}

export function notSupported(path: string, value: unknown, supported: readonly string[]): FieldError {
  const detail = supported.length > 0 ? `supported values: ${supported.map(goQuote).join(", ")}` : "";
  return fieldError("FieldValueNotSupported", path, value, detail);
}

/** The server counts characters and says bytes. */
export function tooLong(path: string, maxLength: number): FieldError {
  const unit = maxLength === 1 ? "byte" : "bytes";
  return fieldError("FieldValueTooLong", path, omittedValue, `may not be more than ${maxLength} ${unit}`);
}

export function tooMany(path: string, actual: number, most: number): FieldError {
  return fieldError("FieldValueTooMany", path, actual, `must have at most ${most} ${most === 1 ? "item" : "items"}`);
}

function fieldError(type: FieldErrorType, path: string, value: unknown, detail: string): FieldError {
  const shown = value === omittedValue ? titles[type] : `${titles[type]}: ${goValue(value)}`;
  return { type, field: path === "" ? "<nil>" : path, body: detail === "" ? shown : `${shown}: ${detail}` };
}

function goValue(value: unknown): string {
  if (typeof value === "string") return goQuote(value);
  if (value instanceof GoFloat) return goFloat(value.value);
  if (typeof value === "number" && !isInt64(value)) return goFloat(value);
  return goJson(value);
}

export function fieldErrorText(error: FieldError): string {
  return `${error.field}: ${error.body}`;
}
