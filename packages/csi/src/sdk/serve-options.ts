import type { Clock, Logger } from "@stowage/machinery";
import type { Registry } from "prom-client";
import type { RegistrationOptions } from "./registration/register-driver.ts";

export interface ServeOptions {
  /** `unix:///run/csi/socket`, or `tcp://127.0.0.1:0` for tests. */
  readonly endpoint: string;
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Where the metrics of calls are kept; drivers of one process may share it. */
  readonly metrics?: Registry;
  /** `:9808` or `127.0.0.1:0`: serves `/healthz`, `/readyz` and `/metrics`. */
  readonly healthAddress?: string;
  /** How long the driver's probe may take, for `/healthz` and `/readyz`. */
  readonly probeTimeoutMs?: number;
  /** Makes the driver known to the node's kubelet; for processes that offer the node service. */
  readonly registration?: RegistrationOptions;
  /** Offers what CSI 1.13 adds. Off, since what reads a driver's capabilities may not know them. */
  readonly gate13?: boolean;
  /** How long calls may run on when the driver is to stop. */
  readonly drainTimeoutMs?: number;
  /** Told once when the driver can be called. */
  readonly onListening?: (addresses: ServedAddresses) => void;
}

/** Where a driver is reached, with the ports that were given where 0 was asked for. */
export interface ServedAddresses {
  readonly endpoint: string;
  readonly healthUrl?: string;
}
