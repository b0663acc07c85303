import { type GrpcFailureCode, grpcCodeNumber } from "@stowage/csi";
import type { Ailment } from "../backend/volume.ts";
import type { Fault, Misbehaviour } from "../faults/fault.ts";

type Body = Readonly<Record<string, unknown>>;

/** Returns what is wrong with the body as a sentence when it is not a fault. */
export function parseFault(body: Body): Fault | string {
  const { method, volume, times } = body;
  if (typeof method !== "string" || method === "") return 'method must be a call such as "CreateVolume", or "*"';
  if (volume !== undefined && typeof volume !== "string") return "volume must be a name or an id";
  if (times !== undefined && !isWholeNumber(times, 1)) return "times must be a whole number above 0";
  const misbehaviour = parseMisbehaviour(body);
  if (typeof misbehaviour === "string") return misbehaviour;
  return { ...misbehaviour, method, volume, times };
}

function parseMisbehaviour({ kind, code, message, delayMs }: Body): Misbehaviour | string {
  switch (kind) {
    case "hang":
    case "lostReply":
      return { kind };
    case "slow":
    case "late":
      return isWholeNumber(delayMs, 0) ? { kind, delayMs } : `${kind} needs delayMs, a number of milliseconds`;
    case "fail":
      if (!isFailureCode(code)) return 'fail needs code, one of gRPC\'s names such as "INTERNAL"';
      if (message !== undefined && typeof message !== "string") return "message must be a text";
      return { kind, code, message };
    default:
      return "kind must be fail, hang, slow, late or lostReply";
  }
}

export function parseAilment({ status, reason, message = "" }: Body): Ailment | string {
  if (status !== "degraded" && status !== "inaccessible" && status !== "dataLoss")
    return "status must be degraded, inaccessible or dataLoss";
  if (typeof reason !== "string" || reason === "") return "reason must be a word such as DiskFailing";
  return typeof message === "string" ? { status, reason, message } : "message must be a text";
}

function isWholeNumber(value: unknown, minimum: number): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= minimum;
}

function isFailureCode(code: unknown): code is GrpcFailureCode {
  // Every object has members such as toString; codes alone have numbers.
  return typeof code === "string" && code !== "OK" && typeof grpcCodeNumber(code as GrpcFailureCode) === "number";
}
