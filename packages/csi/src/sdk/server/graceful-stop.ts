import type { Clock, Logger } from "@stowage/machinery";
import { CsiError } from "../../protocol/index.ts";
import type { RunningCalls } from "../calls/running-calls.ts";
import type { GrpcListener } from "./grpc-listener.ts";

/** For a driver's function to notice that it was aborted, and for clients to close their connections. */
const graceMs = 1000;

export interface StopDeps {
  readonly listener: GrpcListener;
  readonly calls: RunningCalls;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long calls may take to end by themselves. */
  readonly drainTimeoutMs: number;
}

/** Nothing new is let in, what runs may end, what does not end in time is aborted. */
export async function stopGracefully(deps: StopDeps): Promise<void> {
  const { calls, clock, logger, drainTimeoutMs } = deps;
  deps.listener.close();
  calls.stopAccepting();
  if (!(await calls.waitUntilIdle(drainTimeoutMs, clock))) {
    logger.warn({ methods: calls.methods, drainTimeoutMs }, "CSI calls are aborted, since the driver stops");
    calls.abortAll(new CsiError("UNAVAILABLE", "the driver is stopping: try again"));
    if (!(await calls.waitUntilIdle(graceMs, clock))) {
      logger.warn({ methods: calls.methods }, "CSI calls are abandoned, since they did not heed their signal");
    }
  }
  await deps.listener.closeConnections(graceMs, clock);
}
