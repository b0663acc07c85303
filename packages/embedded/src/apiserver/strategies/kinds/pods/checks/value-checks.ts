import { dns1123LabelErrors, dns1123SubdomainErrors, qualifiedNameErrors } from "@stowage/machinery";
import type { JsonValue } from "@stowage/machinery/apply";
import { type FieldError, invalid } from "@stowage/machinery/structural";
import { numberOf, textOf } from "../../../json-fields.ts";
import { problemErrors } from "./field-checks.ts";

/** The rules for single values, in the words of the original. */

export function labelNameErrors(path: string, value: JsonValue | undefined): FieldError[] {
  return problemErrors(path, textOf(value), dns1123LabelErrors(textOf(value)));
}

export function subdomainNameErrors(path: string, value: JsonValue | undefined): FieldError[] {
  return problemErrors(path, textOf(value), dns1123SubdomainErrors(textOf(value)));
}

export function qualifiedErrors(path: string, value: JsonValue | undefined): FieldError[] {
  return problemErrors(path, textOf(value), qualifiedNameErrors(textOf(value)));
}

export function rangeProblem(least: number, most: number): string {
  return `must be between ${least} and ${most}, inclusive`;
}

export function rangeErrors(path: string, value: JsonValue | undefined, [least, most]: readonly [number, number]) {
  const number = numberOf(value) ?? 0;
  return number >= least && number <= most ? [] : [invalid(path, number, rangeProblem(least, most))];
}

export const largestInt32 = 2_147_483_647;

const ids = [0, largestInt32] as const;

export function idErrors(path: string, value: JsonValue | undefined): FieldError[] {
  return rangeErrors(path, value, ids);
}

export function portNumberErrors(path: string, value: JsonValue | undefined): FieldError[] {
  return rangeErrors(path, value, [1, 65_535]);
}

export function portNameProblems(name: string): string[] {
  return [
    ...(Buffer.byteLength(name) > 15 ? ["must be no more than 15 characters"] : []),
    ...(/^[-a-z0-9]+$/u.test(name) ? [] : ["must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)"]),
    ...(/[a-z]/u.test(name) ? [] : ["must contain at least one letter (a-z)"]),
    ...(name.includes("--") ? ["must not contain consecutive hyphens"] : []),
    ...(name.startsWith("-") || name.endsWith("-") ? ["must not begin or end with a hyphen"] : []),
  ];
}

/** A port by its number or by its name. */
export function portErrors(path: string, value: JsonValue | undefined): FieldError[] {
  if (typeof value === "string") return problemErrors(path, value, portNameProblems(value));
  return portNumberErrors(path, value);
}

export function variableNameProblems(name: string): string[] {
  return /^[\u0020-\u003c\u003e-\u007e]*$/u.test(name)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

/** Of what a ConfigMap or a Secret keeps. */
export function configKeyProblems(key: string): string[] {
  const rule = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
  const examples = "(e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
  return [
    ...(Buffer.byteLength(key) > 253 ? ["must be no more than 253 characters"] : []),
    ...(/^[-._a-zA-Z0-9]+$/u.test(key) ? [] : [`${rule} ${examples}`]),
    ...directoryProblems(key),
  ];
}

function directoryProblems(value: string): string[] {
  if (value === "." || value === "..") return [`must not be '${value}'`];
  return value.startsWith("..") ? ["must not start with '..'"] : [];
}

export function headerNameProblems(name: string): string[] {
  const rule = "a valid HTTP header must consist of alphanumeric characters or '-'";
  const examples = "(e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";
  return /^[-A-Za-z0-9]+$/u.test(name) ? [] : [`${rule} ${examples}`];
}

const part = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const searchPattern = `${part}(\\.${part})*`;
const search = new RegExp(`^${searchPattern}$`, "u");

/** A domain to search names in may have underscores. */
export function searchDomainProblems(domain: string): string[] {
  const rule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', " +
    "and must start and end with an alphanumeric character";
  return [
    ...(Buffer.byteLength(domain) > 253 ? ["must be no more than 253 characters"] : []),
    ...(search.test(domain) ? [] : [`${rule} (e.g. 'example.com', regex used for validation is '${searchPattern}')`]),
  ];
}

const fileModes = "must be a number between 0 and 0777 (octal), both inclusive";

/** Of a file in a volume; none is right, too. */
export function fileModeErrors(path: string, value: JsonValue | undefined): FieldError[] {
  const mode = numberOf(value);
  return mode === undefined || (mode >= 0 && mode <= 0o777) ? [] : [invalid(path, mode, fileModes)];
}
