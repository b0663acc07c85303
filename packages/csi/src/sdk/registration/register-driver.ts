import { join } from "node:path";
import type { Server } from "@grpc/grpc-js";
import { type Clock, type Logger, StowageError } from "@stowage/machinery";
import type { RegistrationStatus } from "../../generated/pluginregistration_pb.js";
import { type GrpcListener, listenForGrpc } from "../server/grpc-listener.ts";
import { FolderWatch } from "./folder-watch.ts";
import { createRegistrationServer } from "./registration-server.ts";

/** The folder is watched; this is for what a watch misses. */
const recheckMs = 30_000;
const closeLimitMs = 1000;

export interface RegistrationOptions {
  /** Kubelet's folder for registrations as this process sees it: `/registration` in a container. */
  readonly pluginRegistrationPath: string;
  /** The driver's socket as kubelet sees it: `/var/lib/kubelet/plugins/<driver>/csi.sock`. */
  readonly kubeletSocketPath: string;
}

export interface RegistrationDeps extends RegistrationOptions {
  readonly driverName: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onRegistered: (isRegistered: boolean) => void;
}

/**
 * Keeps a driver registered with kubelet until the signal is aborted, then takes the socket away, by which kubelet knows. When
 * kubelet's folder is wiped, the socket is made again. Rejects when kubelet refuses the driver.
 */
export async function registerDriver(deps: RegistrationDeps, signal: AbortSignal): Promise<void> {
  const path = join(deps.pluginRegistrationPath, `${deps.driverName}-reg.sock`);
  const end = new AbortController();
  const onAbort = () => end.abort();
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  let refusal: StowageError | undefined;
  const server = createRegistrationServer({
    ...deps,
    onStatus(status) {
      refusal = judge(status, deps);
      if (refusal) end.abort();
    },
  });
  try {
    await keepSocket({ ...deps, path, server }, end.signal);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
  if (refusal) throw refusal;
}

function judge(status: RegistrationStatus, deps: RegistrationDeps): StowageError | undefined {
  const { driverName: driver, logger, kubeletSocketPath } = deps;
  deps.onRegistered(status.pluginRegistered);
  if (status.pluginRegistered) {
    logger.info({ driver, kubeletSocketPath }, "kubelet registered the CSI driver");
    return undefined;
  }
  const message = `kubelet refused to register driver ${driver} at ${kubeletSocketPath}: ${status.error}`;
  return new StowageError("CSI_REGISTRATION_REFUSED", message);
}

interface SocketDeps extends RegistrationDeps {
  readonly path: string;
  readonly server: Server;
}

async function keepSocket(deps: SocketDeps, signal: AbortSignal): Promise<void> {
  let change = Promise.withResolvers<void>();
  const wake = () => change.resolve();
  let listener: GrpcListener | undefined = await makeSocket(deps);
  const watch = new FolderWatch(deps.pluginRegistrationPath, wake);
  signal.addEventListener("abort", wake, { once: true });
  try {
    while (!signal.aborted) {
      if (!(await listener?.isInPlace())) listener = await remakeSocket(deps, listener);
      if (!signal.aborted) await within(change.promise, deps.clock);
      change = Promise.withResolvers<void>();
    }
  } finally {
    signal.removeEventListener("abort", wake);
    watch.close();
    listener?.close();
    await listener?.closeConnections(closeLimitMs, deps.clock);
  }
}

/** Waits for a change, but no longer than until the next look without one. */
async function within(change: Promise<void>, clock: Clock): Promise<void> {
  const rest = new AbortController();
  await Promise.race([change, clock.sleep(recheckMs, rest.signal).catch(() => {})]);
  rest.abort();
}

function makeSocket({ server, path }: SocketDeps): Promise<GrpcListener> {
  return listenForGrpc(server, { kind: "unix", path });
}

/** A failure is not the end: the next change of the folder, or the next look at it, tries again. */
async function remakeSocket(deps: SocketDeps, former: GrpcListener | undefined): Promise<GrpcListener | undefined> {
  const { logger, path } = deps;
  // Closing removes the file at the path, so it comes before the new one.
  former?.close();
  deps.onRegistered(false);
  try {
    const listener = await makeSocket(deps);
    logger.info({ path }, "registration socket was gone and is made again");
    return listener;
  } catch (error) {
    logger.warn({ path, err: error }, "registration socket cannot be made again yet");
    return undefined;
  }
}
