import { type ErrorCode, StowageError } from "@stowage/machinery";
import { CsiError, type GrpcFailureCode } from "../../protocol/index.ts";
import type { SecretMask } from "./secret-mask.ts";

/** How our own errors are answered. Whatever is not here is INTERNAL: a defect, or something that only the log explains. */
const grpcCodes: Partial<Record<ErrorCode, GrpcFailureCode>> = {
  INVALID_QUANTITY: "INVALID_ARGUMENT",
  INVALID_DURATION: "INVALID_ARGUMENT",
  INVALID_SELECTOR: "INVALID_ARGUMENT",
  INVALID_TIME: "INVALID_ARGUMENT",
  REQUEST_TIMEOUT: "DEADLINE_EXCEEDED",
  RESPONSE_TIMEOUT: "DEADLINE_EXCEEDED",
  CONNECTION_TIMEOUT: "UNAVAILABLE",
  CONNECTION_REFUSED: "UNAVAILABLE",
  CONNECTION_RESET: "UNAVAILABLE",
  CONNECTION_FAILED: "UNAVAILABLE",
  SERVER_NOT_RESOLVED: "UNAVAILABLE",
  TRANSPORT_CLOSED: "UNAVAILABLE",
  CSI_DRIVER_UNAVAILABLE: "UNAVAILABLE",
  CSI_DRIVER_NOT_READY: "UNAVAILABLE",
  CSI_CALL_TIMEOUT: "DEADLINE_EXCEEDED",
};

/** gRPC sends the message as a header, and events keep 1 KiB of it. */
const maximumMessageLength = 1024;

export interface FailureContext {
  readonly method: string;
  readonly mask: SecretMask;
  readonly signal: AbortSignal;
}

/** What is answered when a driver's function throws, whatever it throws. */
export function toFailure(error: unknown, { method, mask, signal }: FailureContext): CsiError {
  const cause = signal.aborted && !(error instanceof CsiError) ? signal.reason : error;
  const { code, message } = describe(cause, method);
  return new CsiError(code, shorten(mask.text(message)));
}

function describe(error: unknown, method: string): { readonly code: GrpcFailureCode; readonly message: string } {
  if (error instanceof CsiError) return { code: error.grpcCode, message: error.details };
  if (error instanceof StowageError) {
    return { code: grpcCodes[error.code] ?? "INTERNAL", message: `${error.message}: ${error.nextStep}` };
  }
  const reason = error instanceof Error ? error.message : String(error);
  return { code: "INTERNAL", message: `${method} failed: ${reason}; the driver's log has more` };
}

function shorten(message: string): string {
  const oneLine = message.replaceAll(/\s*[\r\n]+\s*/gu, " ");
  return oneLine.length <= maximumMessageLength ? oneLine : `${oneLine.slice(0, maximumMessageLength - 1)}…`;
}
