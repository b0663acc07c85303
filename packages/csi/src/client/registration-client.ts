import { type Clock, type Logger, silentLogger, systemClock } from "@stowage/machinery";
import { type PluginInfo, Registration } from "../generated/pluginregistration_pb.js";
import { Connection } from "./connection.ts";
import { serviceClient } from "./service-client.ts";

export interface RegistrationClientOptions {
  /** The socket in kubelet's folder, as a path. */
  readonly socketPath: string;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

/** Whoever wants to be registered, as kubelet asks it. */
export interface RegistrationClient extends Disposable {
  getInfo(signal: AbortSignal): Promise<PluginInfo>;
  /** Tells how the registration went; without an error it went well. */
  notify(error: string | undefined, signal: AbortSignal): Promise<void>;
}

const DIAL_MS = 10_000;
/** Where kubelet waits for one second and tries again later and later: on a busy machine that can go on for minutes. */
const INFO_MS = 30_000;
const NOTIFY_MS = 30_000;

export function createRegistrationClient(options: RegistrationClientOptions): RegistrationClient {
  const { socketPath, clock = systemClock, logger = silentLogger } = options;
  const connection = new Connection(socketPath, {});
  const driverName = () => undefined;
  const deps = { connection, clock, logger, timeoutMs: NOTIFY_MS, observers: [], driverName };
  const registration = serviceClient(Registration, deps);
  return {
    async getInfo(signal) {
      await connection.connect(DIAL_MS, signal);
      return registration.getInfo({}, { timeoutMs: INFO_MS, signal });
    },
    async notify(error, signal) {
      const status = { pluginRegistered: error === undefined, error: error ?? "" };
      await registration.notifyRegistrationStatus(status, { timeoutMs: NOTIFY_MS, signal });
    },
    [Symbol.dispose]: () => connection.close(),
  };
}
