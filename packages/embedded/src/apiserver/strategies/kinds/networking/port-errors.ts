import type { JsonValue } from "@stowage/machinery/apply";
import { type FieldError, invalid } from "@stowage/machinery/structural";
import { textOf } from "../../json-fields.ts";

export const protocols = ["SCTP", "TCP", "UDP"];

export function portErrors(port: number, path: string): FieldError[] {
  return port >= 1 && port <= 65_535 ? [] : [invalid(path, port, "must be between 1 and 65535, inclusive")];
}

/** A number, or the name of a port of a container. */
export function portOrNameErrors(port: JsonValue | undefined, path: string): FieldError[] {
  if (typeof port === "number") return portErrors(port, path);
  return portNameProblems(textOf(port)).map((problem) => invalid(path, port, problem));
}

function portNameProblems(name: string): string[] {
  return [
    ...(Buffer.byteLength(name) > 15 ? ["must be no more than 15 characters"] : []),
    ...(/^[-a-z0-9]+$/u.test(name) ? [] : ["must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)"]),
    ...(/[a-z]/u.test(name) ? [] : ["must contain at least one letter (a-z)"]),
    ...(name.includes("--") ? ["must not contain consecutive hyphens"] : []),
    ...(name.startsWith("-") || name.endsWith("-") ? ["must not begin or end with a hyphen"] : []),
  ];
}
