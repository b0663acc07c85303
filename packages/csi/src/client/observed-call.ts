import type { GrpcCode } from "../protocol/index.ts";

/** A call that has ended, for metrics. */
export interface ObservedCall {
  /** Such as `/csi.v1.Controller/CreateVolume`. */
  readonly method: string;
  readonly code: GrpcCode;
  readonly durationMs: number;
  /** Not known before the driver was asked for it. */
  readonly driverName: string | undefined;
}

export type CallObserver = (call: ObservedCall) => void;
