import { isCsiError } from "./csi-error.ts";
import type { GrpcFailureCode } from "./grpc-code.ts";

/** After these the driver may still be at work: whether the operation took place is not known. */
const openCodes: ReadonlySet<GrpcFailureCode> = new Set(["CANCELLED", "DEADLINE_EXCEEDED", "UNAVAILABLE", "ABORTED"]);

export interface FinalErrorOptions {
  /** For provisioning: there, a full storage system has certainly made nothing. Elsewhere it may be a passing shortage. */
  readonly isResourceExhaustedFinal?: boolean;
}

/**
 * Whether the driver is certainly not working on the operation any more, so that another one may take its place. An error that
 * did not come from a call says nothing about the driver, hence is not final.
 */
export function isFinalError(error: unknown, options: FinalErrorOptions = {}): boolean {
  if (!isCsiError(error)) return false;
  if (error.grpcCode === "RESOURCE_EXHAUSTED") return options.isResourceExhaustedFinal ?? false;
  return !openCodes.has(error.grpcCode);
}
