import { ApiStatusError } from "./api-status-error.ts";

/**
 * What the API server's answer means, by its reason as the API defines it; never by the words of the message.
 */
function hasReason(...reasons: string[]): (error: unknown) => error is ApiStatusError {
  return (error): error is ApiStatusError => error instanceof ApiStatusError && reasons.includes(error.reason);
}

export const isNotFound = hasReason("NotFound");
export const isAlreadyExists = hasReason("AlreadyExists");
/** Somebody else changed the object, or, with server-side apply, owns the field. */
export const isConflict = hasReason("Conflict");
export const isForbidden = hasReason("Forbidden");
export const isUnauthorized = hasReason("Unauthorized");
/** The object was understood and refused; `status.details.causes` names the fields. */
export const isInvalid = hasReason("Invalid");
export const isBadRequest = hasReason("BadRequest");
/** The version asked for is no longer kept: list again. */
export const isExpired = hasReason("Expired", "Gone");
export const isTooManyRequests = hasReason("TooManyRequests");
export const isServerTimeout = hasReason("ServerTimeout", "Timeout");
export const isServiceUnavailable = hasReason("ServiceUnavailable");
export const isInternalError = hasReason("InternalError");
export const isMethodNotSupported = hasReason("MethodNotAllowed");
export const isUnsupportedMediaType = hasReason("UnsupportedMediaType");

/** The server has not yet seen the version that was asked for. It will soon: ask again. */
export function isTooLargeResourceVersion(error: unknown): boolean {
  return (
    isServerTimeout(error) && (error.status.details?.causes ?? []).some((c) => c.reason === "ResourceVersionTooLarge")
  );
}

/** Creating in a namespace that is being deleted. */
export function isNamespaceTerminating(error: unknown): boolean {
  return isForbidden(error) && (error.status.details?.causes ?? []).some((c) => c.reason === "NamespaceTerminating");
}
