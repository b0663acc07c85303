import { type FieldError, forbidden, invalid, notSupported, required, tooLong } from "@stowage/machinery/structural";
import { badRequest } from "../../answers/index.ts";
import { checkFields } from "./write-errors.ts";

export type FieldValidation = "Ignore" | "Strict" | "Warn";

export interface WriteOptions {
  readonly isDryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  /** Of an apply. */
  readonly force: boolean;
}

export type OptionsKind = "CreateOptions" | "PatchOptions" | "UpdateOptions";

/** Throws when they make no sense. `isApply` is about patches. */
export function writeOptions(kind: OptionsKind, query: URLSearchParams, isApply = false): WriteOptions {
  const fieldManager = query.get("fieldManager") ?? "";
  const fieldValidation = query.get("fieldValidation") ?? "";
  const dryRun = query.getAll("dryRun");
  const force = flag(query, "force");
  checkFields({ group: "meta.k8s.io", kind, name: "" }, [
    ...(kind === "PatchOptions" ? patchErrors(isApply, fieldManager, force) : []),
    ...managerErrors(fieldManager),
    ...dryRunErrors(dryRun),
    ...validationErrors(fieldValidation),
  ]);
  return {
    isDryRun: dryRun.length > 0,
    fieldManager,
    fieldValidation: fieldValidation === "" ? "Warn" : (fieldValidation as FieldValidation),
    force: force ?? false,
  };
}

/** As Go reads a flag of a query: the parameter alone means yes. */
export function flag(query: URLSearchParams, name: string): boolean | undefined {
  const value = query.get(name);
  return value === null ? undefined : value !== "0" && value.toLowerCase() !== "false";
}

function patchErrors(isApply: boolean, fieldManager: string, force: boolean | undefined): FieldError[] {
  if (isApply) return fieldManager === "" ? [required("fieldManager", "is required for apply patch")] : [];
  return force === undefined ? [] : [forbidden("force", "may not be specified for non-apply patch")];
}

const mostBytes = 128;

function managerErrors(fieldManager: string): FieldError[] {
  const errors = Buffer.byteLength(fieldManager) > mostBytes ? [tooLong("fieldManager", mostBytes)] : [];
  let position = 0;
  for (const character of fieldManager) {
    if (!/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
      errors.push(invalid("fieldManager", fieldManager, `invalid character U+${code} (at position ${position})`));
    }
    position += Buffer.byteLength(character);
  }
  return errors;
}

export function dryRunErrors(dryRun: readonly string[]): FieldError[] {
  return dryRun.every((value) => value === "All") ? [] : [notSupported("dryRun", dryRun, ["All"])];
}

function validationErrors(fieldValidation: string): FieldError[] {
  const known = ["", "Ignore", "Strict", "Warn"];
  return known.includes(fieldValidation) ? [] : [notSupported("fieldValidation", fieldValidation, known)];
}

/** A whole number of the query. */
export function wholeNumber(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  if (/^[+-]?\d+$/u.test(text)) return Number(text);
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
}
