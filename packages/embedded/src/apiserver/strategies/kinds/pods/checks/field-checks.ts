import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, invalid, notSupported, required } from "@stowage/machinery/structural";
import { fieldsOf, isFields, listOf, textOf } from "../../../json-fields.ts";

export type ItemCheck = (item: JsonObject, path: string, index: number) => FieldError[];

export function itemsOf(value: JsonValue | undefined): JsonObject[] {
  return listOf(value).map(fieldsOf);
}

/** What is wrong with the items of a list; `path` is the list's. */
export function itemErrors(value: JsonValue | undefined, path: string, check: ItemCheck): FieldError[] {
  return itemsOf(value).flatMap((item, index) => check(item, `${path}[${index}]`, index));
}

/** What is wrong with a struct that may not be there. */
export function partErrors(
  value: JsonValue | undefined,
  path: string,
  check: (part: JsonObject, path: string) => FieldError[],
): FieldError[] {
  return isFields(value) ? check(value, path) : [];
}

export function problemErrors(path: string, value: unknown, problems: readonly string[]): FieldError[] {
  return problems.map((problem) => invalid(path, value, problem));
}

/** Texts that may not be empty. */
export function missingErrors(object: JsonObject, path: string, names: readonly string[]): FieldError[] {
  return names.flatMap((name) => (textOf(object[name]) === "" ? [required(`${path}.${name}`)] : []));
}

/** The choices are told in the order of the alphabet, as those of a set are. */
export function choiceErrors(path: string, value: JsonValue | undefined, choices: readonly string[]): FieldError[] {
  return listedErrors(path, value, choices.toSorted());
}

/** The choices are told in the order in which they are given. */
export function listedErrors(path: string, value: JsonValue | undefined, choices: readonly string[]): FieldError[] {
  return choices.includes(textOf(value)) ? [] : [notSupported(path, value ?? "", choices)];
}

/** A choice that somebody, or a default, has to make. */
export function policyErrors(path: string, value: JsonValue | undefined, choices: readonly string[]): FieldError[] {
  return textOf(value) === "" ? [required(path)] : listedErrors(path, value, choices);
}

/** What is left out is right. */
export function optionalErrors(value: JsonValue | undefined, check: (value: JsonValue) => FieldError[]): FieldError[] {
  return value === undefined ? [] : check(value);
}

export function when(condition: boolean, ...errors: readonly FieldError[]): FieldError[] {
  return condition ? [...errors] : [];
}

/** Of a map's entry. */
export function keyOf(path: string, key: string): string {
  return `${path}[${key}]`;
}
