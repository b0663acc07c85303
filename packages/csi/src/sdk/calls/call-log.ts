import { isMessage, type Message } from "@bufbuild/protobuf";
import type { Logger } from "@stowage/machinery";
import { CreateSnapshotResponseSchema, CreateVolumeResponseSchema } from "../../generated/csi_pb.js";
import { type CsiError, type GrpcCode, redact } from "../../protocol/index.ts";
import type { SecretMask } from "./secret-mask.ts";
import type { ServedMethod } from "./served-method.ts";

/** What is logged about one call: its request without secrets at the start, its outcome at the end. */
export interface CallLog {
  /** For the driver's own lines about the call. */
  readonly logger: Logger;
  succeeded(response: Message, durationMs: number): void;
  failed(failure: CsiError, error: unknown, durationMs: number): void;
}

export interface CallLogOptions {
  readonly served: ServedMethod;
  readonly request: Message;
  readonly callId: number;
  readonly logger: Logger;
  readonly mask: SecretMask;
}

export function beginCallLog({ served, request, callId, logger, mask }: CallLogOptions): CallLog {
  const method = served.method.name;
  const safe = mask.logger(logger);
  const fields = { method, callId };
  const shown = redact(served.method.input, request);
  safe.debug({ ...fields, request: shown }, "CSI call started");
  const outcome = (code: GrpcCode, durationMs: number) => ({ ...fields, code, durationMs: Math.round(durationMs) });
  return {
    logger: withFields(safe, fields),
    succeeded(response, durationMs) {
      const level = served.isQuiet ? "debug" : "info";
      safe[level]({ ...outcome("OK", durationMs), ...madeBy(response), request: shown }, "CSI call succeeded");
    },
    failed(failure, error, durationMs) {
      const described = { ...outcome(failure.grpcCode, durationMs), message: failure.details, request: shown };
      // Whoever looks into an INTERNAL error needs to know where it came from; the others explain themselves.
      safe.warn(failure.grpcCode === "INTERNAL" ? { ...described, err: error } : described, "CSI call failed");
    },
  };
}

/** The driver's own id of what it has made: later calls name nothing else, and when all is gone only this line has both names. */
function madeBy(response: Message): { readonly made?: string } {
  if (isMessage(response, CreateVolumeResponseSchema)) return { made: response.volume?.volumeId };
  return isMessage(response, CreateSnapshotResponseSchema) ? { made: response.snapshot?.snapshotId } : {};
}

function withFields(logger: Logger, fields: object): Logger {
  return {
    debug: (own, message) => logger.debug({ ...fields, ...own }, message),
    info: (own, message) => logger.info({ ...fields, ...own }, message),
    warn: (own, message) => logger.warn({ ...fields, ...own }, message),
    error: (own, message) => logger.error({ ...fields, ...own }, message),
  };
}
