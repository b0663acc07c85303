import { type Clock, systemClock } from "@stowage/machinery";
import { Registry } from "prom-client";
import { waitForAbort } from "./abort-wait.ts";
import { createCallMetrics } from "./calls/call-metrics.ts";
import { RunningCalls } from "./calls/running-calls.ts";
import type { Driver } from "./driver.ts";
import { checkDriver } from "./driver-check.ts";
import { driverHealth } from "./health/driver-health.ts";
import { type HealthServer, startHealthServer } from "./health/health-server.ts";
import { registerDriver } from "./registration/register-driver.ts";
import type { ServeOptions } from "./serve-options.ts";
import { createDriverServer } from "./server/driver-server.ts";
import { endpointText, parseEndpoint } from "./server/endpoint.ts";
import { stopGracefully } from "./server/graceful-stop.ts";
import { listenForGrpc } from "./server/grpc-listener.ts";
import type { Listener } from "./server/listener.ts";
import { servedServices } from "./services.ts";

interface ServeDeps {
  readonly driver: Driver;
  readonly options: ServeOptions;
  readonly clock: Clock;
  readonly metrics: Registry;
  readonly calls: RunningCalls;
  /** Whether kubelet knows the driver; a driver that is not to be registered has nothing to wait for. */
  readonly registered: { current: boolean };
}

const defaultDrainTimeoutMs = 10_000;
const defaultProbeTimeoutMs = 3000;

/**
 * Serves a driver until the signal is aborted; settles when running calls have ended. Rejects when it cannot listen, or when
 * kubelet refuses the driver.
 */
export async function serveDriver(driver: Driver, options: ServeOptions, signal: AbortSignal): Promise<void> {
  checkDriver(driver);
  const { logger, clock = systemClock, drainTimeoutMs = defaultDrainTimeoutMs } = options;
  const deps: ServeDeps = {
    driver,
    options,
    clock,
    metrics: options.metrics ?? new Registry(),
    calls: new RunningCalls(),
    registered: { current: options.registration === undefined },
  };
  const server = createServer(deps);
  const listener = await listenForGrpc(server, parseEndpoint(options.endpoint));
  let health: HealthServer | undefined;
  try {
    health = await startHealth(deps, listener);
    const endpoint = endpointText(listener.endpoint);
    logger.info({ driver: driver.name, endpoint, healthUrl: health?.url }, "CSI driver listens");
    options.onListening?.({ endpoint, healthUrl: health?.url });
    await runUntilAborted(deps, signal);
  } finally {
    await stopGracefully({ listener, calls: deps.calls, clock, logger, drainTimeoutMs });
    // Last, so that a slow stop can be watched.
    await health?.close();
  }
  logger.info({ driver: driver.name }, "CSI driver stopped");
}

function createServer({ driver, options, clock, metrics, calls }: ServeDeps) {
  let callId = 0;
  return createDriverServer(servedServices(driver, { gate13: options.gate13 }), {
    driverName: driver.name,
    logger: options.logger,
    clock,
    metrics: createCallMetrics(metrics),
    calls,
    nextCallId: () => ++callId,
  });
}

async function startHealth(deps: ServeDeps, listener: Listener): Promise<HealthServer | undefined> {
  const { healthAddress: address, probeTimeoutMs = defaultProbeTimeoutMs } = deps.options;
  if (address === undefined) return undefined;
  const { calls, registered } = deps;
  const checks = driverHealth({
    endpoint: listener.endpoint,
    probeTimeoutMs,
    isStopping: () => calls.isStopping,
    isRegistered: () => registered.current,
  });
  return startHealthServer({ address, metrics: deps.metrics, ...checks });
}

/** Registration ends with the signal too: kubelet is to know before the driver stops. */
async function runUntilAborted({ driver, options, clock, registered }: ServeDeps, signal: AbortSignal): Promise<void> {
  const { registration, logger } = options;
  if (registration) {
    const onRegistered = (isRegistered: boolean) => {
      registered.current = isRegistered;
    };
    return registerDriver({ ...registration, driverName: driver.name, clock, logger, onRegistered }, signal);
  }
  using wait = waitForAbort(signal);
  return await wait.aborted;
}
