import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type CsiClient, connectToSocket, registerDriver } from "@stowage/csi";
import type { Clock, Logger } from "@stowage/machinery";
import { type CheckResult, startServing } from "@stowage/operator";
import { Registry } from "prom-client";

export interface RegistrarOptions {
  /** `--kubelet-registration-path`: the driver's socket as kubelet sees it. */
  readonly kubeletRegistrationPath: string;
  /** `--plugin-registration-path`: kubelet's folder as this process sees it. */
  readonly pluginRegistrationPath: string;
  /** `--timeout`: of calls to the driver. */
  readonly timeoutMs: number;
  /** `--http-endpoint`: nothing is served when left out. */
  readonly httpEndpoint?: string;
}

export interface RegistrarDeps {
  readonly csi: CsiClient;
  readonly clock: Clock;
  readonly logger: Logger;
}

const SELF_DIAL_LIMIT_MS = 1_000;

/**
 * Keeps the driver registered until the signal is aborted, then takes the socket away, by which kubelet knows. Rejects when kubelet
 * refuses the driver. CSINode and the node's labels are kubelet's own writing.
 */
export async function runRegistrar(deps: RegistrarDeps, options: RegistrarOptions, signal: AbortSignal): Promise<void> {
  const { pluginRegistrationPath, kubeletRegistrationPath, httpEndpoint } = options;
  const { name } = await deps.csi.identity.getPluginInfo({}, { timeoutMs: options.timeoutMs, signal });
  const socketPath = join(pluginRegistrationPath, `${name}-reg.sock`);
  const serving =
    httpEndpoint === undefined
      ? undefined
      : await startServing({
          address: httpEndpoint,
          metricsPath: "/metrics",
          registry: new Registry(),
          checks: { "/healthz": () => socketProblem(socketPath) },
        });
  try {
    await registerDriver(
      {
        driverName: name,
        kubeletSocketPath: kubeletRegistrationPath,
        pluginRegistrationPath,
        clock: deps.clock,
        logger: deps.logger,
        onRegistered: () => {},
      },
      signal,
    );
  } finally {
    await serving?.close();
  }
}

/** Whether kubelet could reach the registration socket: the file alone says little. */
async function socketProblem(path: string): Promise<CheckResult> {
  const isThere = await stat(path).then(
    (found) => found.isSocket(),
    () => false,
  );
  if (!isThere) return { status: 404, problem: `there is no registration socket at ${path}` };
  return new Promise((resolve) => {
    const socket = connectToSocket(path);
    const settle = (problem?: string) => {
      socket.destroy();
      resolve(problem);
    };
    socket.once("connect", () => settle());
    socket.once("error", (error) => settle(`the registration socket does not answer: ${error.message}`));
    socket.setTimeout(SELF_DIAL_LIMIT_MS, () => settle("the registration socket does not answer in time"));
  });
}
