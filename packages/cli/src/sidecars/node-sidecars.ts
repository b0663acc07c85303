import { join } from "node:path";
import { type CsiClient, connectToSocket, createCsiClient } from "@stowage/csi";
import { systemClock } from "@stowage/machinery";
import { readDriverProfile, removeCsiDriver, runRegistrar, startLivenessProbe, syncCsiDriver } from "@stowage/sidecars";
import type { CommandContext } from "../command.ts";
import { connectToCluster } from "../compose.ts";
import { exitCodes } from "../exit-codes.ts";

/** Calls the driver once it answers, and closes the connection afterwards. */
async function withDriver<T>(
  { logger, signal }: CommandContext,
  endpoint: string,
  work: (csi: CsiClient) => Promise<T>,
): Promise<T> {
  const csi = createCsiClient({ endpoint, logger });
  try {
    await csi.waitForReady({ connectTimeoutMs: Number.POSITIVE_INFINITY, signal });
    return await work(csi);
  } finally {
    csi.close();
  }
}

export interface RegistrarFlags {
  readonly csiAddress: string;
  readonly kubeletRegistrationPath: string;
  readonly pluginRegistrationPath: string;
  readonly timeout: number;
  readonly httpEndpoint?: string;
}

export async function runRegistrarCommand(context: CommandContext, flags: RegistrarFlags): Promise<number> {
  const { logger, signal } = context;
  const { timeout: timeoutMs, ...options } = flags;
  await withDriver(context, flags.csiAddress, (csi) =>
    runRegistrar({ csi, clock: systemClock, logger }, { ...options, timeoutMs }, signal),
  );
  return exitCodes.success;
}

/** As an exec probe has it: whether the registrar of this Pod offers the driver to kubelet. */
export async function probeRegistration(context: CommandContext, flags: RegistrarFlags): Promise<number> {
  const name = await withDriver(context, flags.csiAddress, (csi) => csi.driverName());
  const path = join(flags.pluginRegistrationPath, `${name}-reg.sock`);
  const isOffered = await new Promise<boolean>((resolve) => {
    const socket = connectToSocket(path);
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
  if (!isOffered) context.terminal.err(`stowage sidecar registrar: nobody answers at ${path}\n`);
  return isOffered ? exitCodes.success : exitCodes.failure;
}

export interface LivenessFlags {
  readonly csiAddress: string;
  readonly probeTimeout: number;
  readonly address: string;
  readonly metricsPath: string;
}

export async function runLivenessProbeCommand(context: CommandContext, flags: LivenessFlags): Promise<number> {
  const { logger, signal, terminal } = context;
  // Until the driver has answered once, kubelet's probe finds nobody: it waits, rather than being told that all is lost.
  await withDriver(context, flags.csiAddress, (csi) => csi.driverName());
  const server = await startLivenessProbe(
    { endpoint: flags.csiAddress, logger },
    { address: flags.address, probeTimeoutMs: flags.probeTimeout, metricsPath: flags.metricsPath },
  );
  terminal.err(`listening at ${server.url} (Ctrl-C stops)\n`);
  await aborted(signal);
  await server.close();
  return exitCodes.success;
}

export interface ClusterDriverFlags {
  readonly csiAddress: string;
  readonly kubeconfig?: string;
  readonly driverRequiresAttachment?: "true" | "false";
  readonly podInfoMountVersion?: string;
  readonly deleteOnExit: boolean;
}

export async function runClusterDriverRegistrar(context: CommandContext, flags: ClusterDriverFlags): Promise<number> {
  const driver = await withDriver(context, flags.csiAddress, readDriverProfile);
  using cluster = await connectToCluster(context, flags);
  const deps = { client: cluster.client, logger: context.logger };
  const attaches = driver.controller.has("PUBLISH_UNPUBLISH_VOLUME");
  await syncCsiDriver(deps, {
    driverName: driver.name,
    attachRequired: flags.driverRequiresAttachment === undefined ? attaches : flags.driverRequiresAttachment === "true",
    podInfoOnMount: (flags.podInfoMountVersion ?? "") !== "",
  });
  context.terminal.err(`CSIDriver ${driver.name} is as it should be (Ctrl-C stops)\n`);
  await aborted(context.signal);
  if (flags.deleteOnExit) await removeCsiDriver(deps, driver.name);
  return exitCodes.success;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
