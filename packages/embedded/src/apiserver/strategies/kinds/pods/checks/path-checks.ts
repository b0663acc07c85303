import type { JsonValue } from "@stowage/machinery/apply";
import { type FieldError, invalid } from "@stowage/machinery/structural";
import { textOf } from "../../../json-fields.ts";

/** Whoever could step up could read what is not theirs. */
export function backstepErrors(path: string, value: JsonValue | undefined): FieldError[] {
  const target = textOf(value);
  return target.split("/").includes("..") ? [invalid(path, target, "must not contain '..'")] : [];
}

export function relativePathErrors(path: string, value: JsonValue | undefined): FieldError[] {
  const target = textOf(value);
  const absolute = target.startsWith("/") ? [invalid(path, target, "must be a relative path")] : [];
  return [...absolute, ...backstepErrors(path, target)];
}

/** Names that begin with two dots are for the kubelet's own files. */
export function fileNameErrors(path: string, value: JsonValue | undefined): FieldError[] {
  const target = textOf(value);
  const isReserved = target.startsWith("..") && !target.startsWith("../");
  return [
    ...relativePathErrors(path, target),
    ...(isReserved ? [invalid(path, target, "must not start with '..'")] : []),
  ];
}
