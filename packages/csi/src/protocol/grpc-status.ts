import { CsiError, type CsiErrorOptions } from "./csi-error.ts";
import { type GrpcFailureCode, grpcCodeNumber, grpcCodeOf } from "./grpc-code.ts";

/** What gRPC sends for a failed call, and gives to the caller: its ServiceError has this shape. */
export interface GrpcStatus {
  readonly code: number;
  readonly details: string;
}

/**
 * What a call ended with, as a CsiError. The original is not kept as the cause: it holds headers and, at times, what was sent.
 */
export function toCsiError(error: unknown, options: CsiErrorOptions = {}): CsiError {
  if (error instanceof CsiError) return error;
  if (isGrpcStatus(error)) return new CsiError(failureCodeOf(error.code), error.details, options);
  return new CsiError("UNKNOWN", error instanceof Error ? error.message : String(error), options);
}

/**
 * What a server answers for an error that its handler threw. Anything but a CsiError is a defect or a surprise of the driver:
 * INTERNAL, with its message.
 */
export function toGrpcStatus(error: unknown): GrpcStatus {
  if (error instanceof CsiError) return { code: grpcCodeNumber(error.grpcCode), details: error.details };
  return { code: grpcCodeNumber("INTERNAL"), details: error instanceof Error ? error.message : String(error) };
}

function isGrpcStatus(error: unknown): error is GrpcStatus {
  if (typeof error !== "object" || error === null) return false;
  const { code, details } = error as Partial<GrpcStatus>;
  return typeof code === "number" && typeof details === "string";
}

/** OK in an error is a contradiction; it must not pass as a success. */
function failureCodeOf(number: number): GrpcFailureCode {
  const code = grpcCodeOf(number);
  return code === "OK" ? "UNKNOWN" : code;
}
