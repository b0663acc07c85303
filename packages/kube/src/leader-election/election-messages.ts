import type { ConnectionConfig } from "../config/index.ts";
import type { LeaseRef } from "./held-lease.ts";
import type { LeaseTiming } from "./lease-timing.ts";

/** What the election's thread is started with. */
export interface ElectionWorkerData {
  readonly connection: ConnectionConfig;
  readonly lease: LeaseRef;
  readonly companions: readonly LeaseRef[];
  readonly identity: string;
  readonly timing: LeaseTiming;
  readonly validityBuffer: SharedArrayBuffer;
  readonly heartbeatBuffer: SharedArrayBuffer;
  readonly hangLimitMs: number;
}

export type FromElection =
  | { readonly type: "acquired"; readonly term: number }
  | { readonly type: "lost"; readonly reason: string }
  | { readonly type: "released" }
  | {
      readonly type: "log";
      readonly level: "debug" | "info" | "warn" | "error";
      readonly fields: object;
      readonly message: string;
    };

export type ToElection = { readonly type: "release" };
