import type { KubeClient } from "@stowage/kube";
import { type Clock, credentialsRequests, type Logger } from "@stowage/machinery";
import { ensureDefinition } from "./definition.ts";
import { runSimulatedCredentials, type Simulation, startSimulatedCloud } from "./platforms/index.ts";
import { rememberedPort, rememberPort, statePaths } from "./up-state.ts";

export interface SimulationDeps {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly stateDir: string;
  /** Told when it ends by itself. */
  onFailed(error: unknown): void;
}

/** A cloud that there is not, while the cluster runs. */
export interface RunningSimulation extends AsyncDisposable {
  readonly url: string;
}

/** Answers for the cloud, and hands out what lets into it. */
export async function startSimulation(deps: SimulationDeps, simulation: Simulation): Promise<RunningSimulation> {
  const portPath = statePaths.cloudPort(deps.stateDir);
  const { startCloud = startSimulatedCloud } = simulation;
  const cloud = await startCloud(rememberedPort(portPath));
  rememberPort(portPath, cloud.url);
  const stop = new AbortController();
  const running = handOut(deps, { simulation, cloudUrl: cloud.url }, stop.signal).catch(deps.onFailed);
  return {
    url: cloud.url,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
      await cloud[Symbol.asyncDispose]();
    },
  };
}

async function handOut(
  deps: SimulationDeps,
  given: { readonly simulation: Simulation; readonly cloudUrl: string },
  signal: AbortSignal,
): Promise<void> {
  await ensureDefinition(deps, credentialsRequests, signal);
  if (!signal.aborted) await runSimulatedCredentials({ ...deps, ...given }, signal);
}
