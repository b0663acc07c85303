import { type ErrorCode, StowageError, type StowageErrorOptions } from "@stowage/machinery";
import { type GrpcFailureCode, goCodeName } from "./grpc-code.ts";

export interface CsiErrorOptions extends StowageErrorOptions {
  /** The method that was called, such as `/csi.v1.Controller/CreateVolume`; left out by a driver that raises the error. */
  readonly method?: string;
}

/**
 * A CSI call that failed. Drivers throw it to answer with a gRPC code; callers get it whatever went wrong. It never carries the
 * request, since that may hold secrets.
 */
export class CsiError extends StowageError {
  override readonly name = "CsiError";
  readonly grpcCode: GrpcFailureCode;
  /** The driver's own words, without the method and the code. */
  readonly details: string;
  readonly method: string | undefined;

  constructor(grpcCode: GrpcFailureCode, details: string, options: CsiErrorOptions = {}) {
    super(errorCodeOf(grpcCode), messageOf(grpcCode, details, options.method), options);
    this.grpcCode = grpcCode;
    this.details = details;
    this.method = options.method;
  }

  /** The error as the original sidecars write it into events and status, so that what reads those keeps working. */
  get goMessage(): string {
    return `rpc error: code = ${goCodeName(this.grpcCode)} desc = ${this.details}`;
  }
}

export function isCsiError(error: unknown): error is CsiError {
  return error instanceof CsiError;
}

export function isCsiCode(error: unknown, ...codes: readonly GrpcFailureCode[]): error is CsiError {
  return error instanceof CsiError && codes.includes(error.grpcCode);
}

function errorCodeOf(grpcCode: GrpcFailureCode): ErrorCode {
  if (grpcCode === "UNAVAILABLE") return "CSI_DRIVER_UNAVAILABLE";
  return grpcCode === "DEADLINE_EXCEEDED" ? "CSI_CALL_TIMEOUT" : "CSI_CALL_FAILED";
}

function messageOf(grpcCode: GrpcFailureCode, details: string, method: string | undefined): string {
  return method === undefined ? details : `${method} failed with ${grpcCode}: ${details}`;
}
