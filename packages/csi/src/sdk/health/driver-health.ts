import type { Endpoint } from "../server/endpoint.ts";
import type { HealthCheck } from "./health-server.ts";
import { probeThroughSocket } from "./self-probe.ts";

export interface DriverHealthOptions {
  readonly endpoint: Endpoint;
  readonly probeTimeoutMs: number;
  readonly isStopping: () => boolean;
  readonly isRegistered: () => boolean;
}

/** Alive: the driver answers through its socket and says it is ready. Ready: it also stays, and kubelet knows it. */
export function driverHealth(options: DriverHealthOptions): { isAlive: HealthCheck; isReady: HealthCheck } {
  const isAlive = async () => {
    try {
      const isReady = await probeThroughSocket(options.endpoint, options.probeTimeoutMs);
      return isReady ? undefined : "the driver answers, but is not ready";
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
  const isReady = async () => {
    if (options.isStopping()) return "the driver is stopping";
    if (!options.isRegistered()) return "kubelet has not registered the driver yet";
    return isAlive();
  };
  return { isAlive, isReady };
}
