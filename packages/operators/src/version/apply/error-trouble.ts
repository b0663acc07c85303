import {
  ApiStatusError,
  isAlreadyExists,
  isConflict,
  isForbidden,
  isInternalError,
  isInvalid,
  isNotFound,
  isServerTimeout,
  isServiceUnavailable,
  isTooManyRequests,
  isUnauthorized,
} from "@stowage/kube";
import { hasErrorCode, StowageError } from "@stowage/machinery";
import { manifestName, type PayloadManifest } from "../payload/index.ts";

import type { ManifestPlace, Trouble } from "./trouble.ts";

const because: readonly {
  readonly is: (error: unknown) => boolean;
  readonly reason: string;
  readonly cause: string;
}[] = [
  { is: isNotFound, reason: "UpdatePayloadResourceNotFound", cause: "resource may have been deleted" },
  { is: isAlreadyExists, reason: "UpdatePayloadResourceNotFound", cause: "resource may have been deleted" },
  { is: isConflict, reason: "UpdatePayloadResourceConflict", cause: "someone else is updating this resource" },
  { is: isServiceUnavailable, reason: "UpdatePayloadClusterDown", cause: "the server is down or not responding" },
  { is: isUnreachable, reason: "UpdatePayloadClusterDown", cause: "the server is down or not responding" },
  { is: isInternalError, reason: "UpdatePayloadClusterError", cause: "the server is reporting an internal error" },
  { is: isInvalid, reason: "UpdatePayloadResourceInvalid", cause: "the object is invalid" },
  { is: isUnauthorized, reason: "UpdatePayloadClusterUnauthorized", cause: "could not authenticate to the server" },
  { is: isForbidden, reason: "UpdatePayloadResourceForbidden", cause: "the server has forbidden updates" },
  { is: isServerTimeout, reason: "UpdatePayloadClusterOverloaded", cause: "the server is overloaded" },
  { is: isTooManyRequests, reason: "UpdatePayloadClusterOverloaded", cause: "the server is overloaded" },
  {
    is: (error) => hasErrorCode(error, "KIND_NOT_SERVED") || hasErrorCode(error, "API_GROUP_UNAVAILABLE"),
    reason: "UpdatePayloadResourceTypeMissing",
    cause: "the server does not recognize this resource, check extension API servers",
  },
];

export function troubleOfError({ manifest, index, total }: ManifestPlace, error: unknown): Trouble {
  const known = because.find(({ is }) => is(error));
  const what = `Could not update ${manifestName(manifest)} (${index} of ${total})`;
  const cause = [...(known ? [known.cause] : []), detailOf(manifest, error)].join(": ");
  const name = manifest.object.metadata.name ?? "";
  return { effect: "fail", reason: known?.reason ?? "UpdatePayloadFailed", message: `${what}: ${cause}`, name };
}

/** The server's words about a Secret may quote what is in it. */
function detailOf({ object }: PayloadManifest, error: unknown): string {
  if (object.kind === "Secret" && error instanceof ApiStatusError) return error.reason;
  if (object.kind === "Secret" && !(error instanceof StowageError)) return "an error that may quote its content";
  return error instanceof Error ? error.message : String(error);
}

/** No answer at all. */
function isUnreachable(error: unknown): boolean {
  return error instanceof StowageError && !(error instanceof ApiStatusError) && connectionCodes.has(error.code);
}

const connectionCodes: ReadonlySet<string> = new Set([
  "CONNECTION_FAILED",
  "CONNECTION_REFUSED",
  "CONNECTION_RESET",
  "CONNECTION_TIMEOUT",
  "REQUEST_TIMEOUT",
  "RESPONSE_CUT_OFF",
  "RESPONSE_TIMEOUT",
  "SERVER_NOT_RESOLVED",
]);
