import { type Clock, type Logger, silentLogger, systemClock } from "@stowage/machinery";
import type { Registry } from "prom-client";
import { Controller, GroupController, Identity, Node } from "../generated/csi_pb.js";
import { callMetrics } from "./call-metrics.ts";
import { Connection, type ConnectionListener } from "./connection.ts";
import type { CallDeps } from "./csi-call.ts";
import { type DriverFacts, type DriverServices, rememberFacts } from "./driver-facts.ts";
import { socketPath } from "./endpoint.ts";
import type { CallObserver } from "./observed-call.ts";
import { type ReadinessOptions, waitForReady } from "./readiness.ts";
import { serviceClient } from "./service-client.ts";

export interface CsiClientOptions extends ConnectionListener {
  /** The driver's socket: `unix:///run/csi/socket`, or the bare path. */
  readonly endpoint: string;
  readonly clock?: Clock;
  /** Gets each call and answer at debug level, without secrets. */
  readonly logger?: Logger;
  /** For each call that has no time of its own. */
  readonly timeoutMs?: number;
  /** Where to record how long calls take. */
  readonly metrics?: Registry;
  readonly onCall?: CallObserver;
  /** Called before each call; what it throws is thrown in place of the call. For callers that may lose the right to act. */
  readonly beforeCall?: () => void;
}

/** A CSI driver, seen from outside. */
export interface CsiClient extends DriverServices, DriverFacts {
  readonly endpoint: string;
  readonly isConnected: boolean;
  /** Resolves when the socket is there and the driver says that it is ready. Calls may be made without it. */
  waitForReady(options?: ReadinessOptions): Promise<void>;
  /** Calls that are under way fail with CANCELLED. */
  close(): void;
}

const TIMEOUT_MS = 10_000;

/** Starts to connect at once, and does so again whenever the driver was away. */
export function createCsiClient(options: CsiClientOptions): CsiClient {
  const { endpoint, clock = systemClock, logger = silentLogger } = options;
  let driverName: string | undefined;
  const connection = new Connection(socketPath(endpoint), {
    onConnected() {
      logger.info({ endpoint }, "Connected to the CSI driver");
      options.onConnected?.();
    },
    onConnectionLost() {
      logger.warn({ endpoint }, "Lost connection to the CSI driver");
      forget();
      options.onConnectionLost?.();
    },
  });
  const services = driverServices({
    connection,
    clock,
    logger,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    observers: observersOf(options),
    beforeCall: options.beforeCall,
    driverName: () => driverName,
  });
  const { facts, forget } = rememberFacts(services);
  return {
    ...services,
    ...facts,
    async driverName() {
      driverName = await facts.driverName();
      return driverName;
    },
    endpoint,
    get isConnected() {
      return connection.isConnected;
    },
    waitForReady: (readiness) => waitForReady({ connection, identity: services.identity, clock, logger }, readiness),
    close: () => connection.close(),
  };
}

function driverServices(deps: CallDeps): DriverServices {
  return {
    identity: serviceClient(Identity, deps),
    controller: serviceClient(Controller, deps),
    groupController: serviceClient(GroupController, deps),
    node: serviceClient(Node, deps),
  };
}

function observersOf({ metrics, onCall }: CsiClientOptions): CallObserver[] {
  const observers = [metrics === undefined ? undefined : callMetrics(metrics), onCall];
  return observers.filter((observer) => observer !== undefined);
}
