import { type Clock, type Logger, StowageError } from "@stowage/machinery";
import type { Identity } from "../generated/csi_pb.js";
import { isCsiCode } from "../protocol/index.ts";
import type { Connection } from "./connection.ts";
import type { ServiceClient } from "./service-client.ts";

export interface ReadinessOptions {
  /** For the socket to be there: 30 s when left out, as in the original sidecars; Infinity waits for ever. */
  readonly connectTimeoutMs?: number;
  /** For the driver to be ready, from the first probe on; without a limit when left out. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface ReadinessDeps {
  readonly connection: Connection;
  readonly identity: ServiceClient<typeof Identity>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const CONNECT_TIMEOUT_MS = 30_000;
const PROBE_INTERVAL_MS = 1_000;

/**
 * Resolves when the driver says that it is ready. A driver that is slow, unready or away for a moment is asked again each second;
 * any other failure ends the wait, since asking again would not help.
 */
export async function waitForReady(deps: ReadinessDeps, options: ReadinessOptions = {}): Promise<void> {
  const { clock, logger } = deps;
  const { signal, timeoutMs = Number.POSITIVE_INFINITY } = options;
  await deps.connection.connect(options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS, signal);
  const startedMs = clock.monotonicMs();
  for (;;) {
    signal?.throwIfAborted();
    const failure = await probe(deps.identity, signal);
    if (failure === undefined) return;
    if (clock.monotonicMs() - startedMs >= timeoutMs) {
      throw new StowageError(
        "CSI_DRIVER_NOT_READY",
        `The CSI driver was not ready within ${timeoutMs} ms: ${failure}.`,
      );
    }
    logger.warn({ reason: failure }, "CSI driver is not ready");
    await clock.sleep(PROBE_INTERVAL_MS, signal);
  }
}

/** Why the driver is not ready, or undefined. */
async function probe(identity: ServiceClient<typeof Identity>, signal?: AbortSignal): Promise<string | undefined> {
  try {
    // A driver that does not say is ready.
    const { ready = true } = await identity.probe({}, { signal });
    return ready ? undefined : "it says that it is not";
  } catch (error) {
    signal?.throwIfAborted();
    if (isCsiCode(error, "DEADLINE_EXCEEDED", "UNAVAILABLE")) return error.details;
    throw error;
  }
}
