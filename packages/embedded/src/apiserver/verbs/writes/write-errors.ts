import type { Status } from "@stowage/machinery";
import { type FieldError, type InvalidObject, invalidStatus } from "@stowage/machinery/structural";
import { ApiError, type ErrorDetails } from "../../answers/index.ts";
import type { ServedResource } from "../../resources/index.ts";

/** 422, with what is wrong with each field. */
export function invalidObject(object: InvalidObject, errors: readonly FieldError[]): ApiError {
  const { message = "", details }: Status = invalidStatus(object, errors);
  const filled = Object.entries(details ?? {}).filter(([, value]) => value !== "");
  return new ApiError(422, "Invalid", message, Object.fromEntries(filled));
}

/** Throws when there is anything wrong. */
export function checkFields(object: InvalidObject, errors: readonly FieldError[]): void {
  // Events of either group are checked as those of the core.
  const { group } = object;
  if (errors.length > 0) throw invalidObject({ ...object, group: group === "events.k8s.io" ? "" : group }, errors);
}

/** Does it, and has a refusal tell the warnings, too, which come whatever happens. */
export async function withWarnings<T>(warnings: readonly string[], write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof ApiError) error.warnings = warnings;
    throw error;
  }
}

/** An error that the real server does not expect of itself, and answers with its bare text. */
export function unexpected(message: string): ApiError {
  return new ApiError(500, "", message);
}

/** Of a patch that makes sense, but not for this object. The real server does not say why. */
export function patchRejected(): ApiError {
  return new ApiError(422, "Invalid", "the server rejected our request due to an error in our request", {});
}

export interface RefusedWrite {
  readonly resource: ServedResource;
  readonly name: string;
  readonly why: string;
  readonly causes?: ErrorDetails["causes"];
}

/** 403 by admission rather than by who asks. */
export function refused({ resource, name, why, causes }: RefusedWrite): ApiError {
  const { group, plural } = resource;
  const text = group === "" ? plural : `${plural}.${group}`;
  const subject = name === "" ? text : `${text} ${JSON.stringify(name)}`;
  const details = { ...(name !== "" && { name }), ...(group !== "" && { group }), kind: plural };
  return new ApiError(403, "Forbidden", `${subject} is forbidden: ${why}`, { ...details, ...(causes && { causes }) });
}
