import { dns1123LabelErrors, dns1123SubdomainErrors } from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, forbidden, invalid, notSupported, required, tooLong } from "@stowage/machinery/structural";
import { listOf, textOf } from "../../json-fields.ts";

/** Texts and lists that must not be empty. */
export function requiredErrors(object: JsonObject, path: string, names: readonly string[]): FieldError[] {
  return names.filter((name) => isEmpty(object[name])).map((name) => required(`${path}.${name}`));
}

function isEmpty(value: JsonValue | undefined): boolean {
  return Array.isArray(value) ? value.length === 0 : textOf(value) === "";
}

export function subdomainErrors(name: string, path: string): FieldError[] {
  return dns1123SubdomainErrors(name).map((problem) => invalid(path, name, problem));
}

export function labelErrors(name: string, path: string): FieldError[] {
  return dns1123LabelErrors(name).map((problem) => invalid(path, name, problem));
}

export function rangeErrors(value: number, path: string, [least, most]: readonly [number, number]): FieldError[] {
  return value < least || value > most ? [invalid(path, value, `must be between ${least} and ${most}, inclusive`)] : [];
}

/** One of a few texts; nothing is wrong with none. */
export function choiceErrors(value: JsonValue | undefined, path: string, choices: readonly string[]): FieldError[] {
  if (value === undefined || choices.includes(textOf(value))) return [];
  return [notSupported(path, value, choices)];
}

export function backstepErrors(path: string, field: string): FieldError[] {
  return path.split("/").includes("..") ? [invalid(field, path, "must not contain '..'")] : [];
}

/** Capital letters count as small ones. */
export function driverNameErrors(name: string, path: string): FieldError[] {
  if (name === "") return [required(path)];
  return [
    ...(Buffer.byteLength(name) > 63 ? [tooLong(path, 63)] : []),
    ...dns1123SubdomainErrors(name.toLowerCase()).map((problem) => invalid(path, name, problem)),
  ];
}

export function mapBytes(map: JsonObject): number {
  return Object.entries(map).reduce((sum, [key, value]) => sum + Buffer.byteLength(key + textOf(value)), 0);
}

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

export function accessModeErrors(modes: JsonValue | undefined, path: string): FieldError[] {
  const all = listOf(modes).map(textOf);
  const errors = all.flatMap((mode) => choiceErrors(mode, path, accessModes));
  const others = all.filter((mode) => mode !== "ReadWriteOncePod" && accessModes.includes(mode));
  if (!all.includes("ReadWriteOncePod") || others.length === 0) return errors;
  const detail = "may not use ReadWriteOncePod with other access modes";
  return [...errors, forbidden(path, detail)];
}

export const volumeModes = ["Block", "Filesystem"];
