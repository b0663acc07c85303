import { type GrpcCode, isCsiError } from "@stowage/csi";

/** Codes that find fault with the request. Any other speaks of the storage's state, which passes: an outage must not leak anything. */
const VERDICTS: ReadonlySet<GrpcCode> = new Set([
  "INVALID_ARGUMENT",
  "NOT_FOUND",
  "ALREADY_EXISTS",
  "OUT_OF_RANGE",
  "UNIMPLEMENTED",
]);

/** A driver that refuses this often in a row after its answer was lost is taken at its word: there is nothing. */
export const ENOUGH_REFUSALS = 3;

/** Whether the driver finds fault with what it was asked, so that it would never have done it. */
export function isVerdict(error: unknown): boolean {
  return isCsiError(error) && VERDICTS.has(error.grpcCode);
}
