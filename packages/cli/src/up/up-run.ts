import { hasRemains, runningWork } from "@stowage/embedded";
import { type Clock, StowageError, systemClock } from "@stowage/machinery";
import type { CommandContext } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { versionText } from "../version-text.ts";
import type { ControlPlaneId, RunningCluster } from "./control-plane/index.ts";
import { createDemo, install } from "./installation.ts";
import { nextCommands } from "./next-commands.ts";
import { type PlatformId, upPlatforms } from "./platforms/index.ts";
import { processAgeMs } from "./process-age.ts";
import { despiteOutages } from "./server-outage.ts";
import { startSimulation } from "./simulation-run.ts";
import { checkPaths } from "./state-paths.ts";
import { checkRoom, watchRoom } from "./state-room.ts";
import { stepReached } from "./step-wait.ts";
import { clusterStep, demoSteps, lastStep, type Step, stepsTo } from "./steps.ts";
import { type ClusterWishes, endCluster, enterOwnNamespace, startCluster } from "./up-cluster.ts";
import { lockState } from "./up-lock.ts";
import { createUpProgress, secondsText, type UpProgress } from "./up-progress.ts";
import { rememberControlPlane, rememberPlatform, stateDirOf, statePaths } from "./up-state.ts";

export interface UpOptions {
  readonly stateDir?: string | undefined;
  readonly nodes: number;
  readonly port?: number | undefined;
  readonly platform?: PlatformId | undefined;
  readonly controlPlane?: ControlPlaneId | undefined;
  readonly demo: boolean;
  /** In milliseconds. */
  readonly timeout: number;
  readonly exitWhenReady: boolean;
  readonly output: "text" | "json";
}

export interface UpTerminal {
  readonly columns: number | undefined;
  readonly hasColours: boolean;
}

/** From nothing, or from where it was, to storage that works; then until it is stopped. Returns the exit code. */
export async function runUp(context: CommandContext, options: UpOptions, look: UpTerminal): Promise<number> {
  const { terminal, signal } = context;
  const clock = systemClock;
  const stateDir = stateDirOf(context.homeDir, options.stateDir);
  const { controlPlane = "embedded", nodes } = options;
  const platform = upPlatforms[options.platform ?? "local"];
  checkPaths(stateDir, { nodes, driverName: platform.driver.name });
  checkRoom(stateDir);
  // First: it begins anew in there, where nothing must be open yet.
  await enterOwnNamespace(stateDir);
  using _lock = lockState(stateDir);
  rememberPlatform(stateDir, platform.id);
  rememberControlPlane(stateDir, controlPlane);
  using progress = createUpProgress({ terminal, ...look, isJson: options.output === "json", elapsedMs: processAgeMs });
  await using cleanUp = new AsyncDisposableStack();
  cleanUp.defer(() => endCluster(stateDir, clock));
  const warned = (text: string) => progress.warned(text);
  cleanUp.use(runningWork((until) => watchRoom({ stateDir, clock, warned }, until)));
  const failed = new AbortController();
  const sinceMs = (await hasRemains({ folder: statePaths.cluster(stateDir), clock })) ? 0 : clock.nowMs();
  const place = { stateDir, clock, sinceMs, progress, failed, cleanUp };
  const outcome = await cameUp(context, { ...options, platform, controlPlane }, place);
  if (typeof outcome !== "string") {
    terminal.out(readyText(outcome));
    if (!options.exitWhenReady) await stopped(AbortSignal.any([signal, failed.signal]));
    failed.signal.throwIfAborted();
  }
  progress.said(`stopping; what is kept stays in ${stateDir}`);
  await cleanUp.disposeAsync();
  if (outcome === "out of time") {
    // A disk that has become full is why.
    checkRoom(stateDir);
    throw new StowageError("UP_TIMED_OUT", `storage did not work after ${secondsText(options.timeout)}`);
  }
  return outcome === "stopped" ? exitCodes.interrupted : exitCodes.success;
}

type UpWishes = Omit<UpOptions, "platform" | "controlPlane" | "stateDir"> & ClusterWishes;

/** The cluster when storage works in it, else why it does not. */
async function cameUp(
  context: CommandContext,
  wishes: UpWishes,
  place: UpPlace,
): Promise<UpCluster | "stopped" | "out of time"> {
  const { signal } = context;
  const started = await startParts(context, wishes, place).catch((error: unknown) => {
    // Whatever is cut short complains.
    if (!signal.aborted) throw error;
  });
  if (started === undefined) return "stopped";
  const outOfTime = AbortSignal.timeout(wishes.timeout);
  const up = { ...wishes, ...started, ...place };
  if (await bringUp(context, up, outOfTime)) return up;
  return outOfTime.aborted ? "out of time" : "stopped";
}

interface UpPlace {
  readonly stateDir: string;
  /** Since when containers can have been started. */
  readonly sinceMs: number;
  readonly progress: UpProgress;
  readonly clock: Clock;
  /** By what can never come good. */
  readonly failed: AbortController;
  readonly cleanUp: AsyncDisposableStack;
}

/** The cluster, and the cloud that it says it is in. */
async function startParts(
  context: CommandContext,
  wishes: ClusterWishes,
  { stateDir, clock, progress, failed, cleanUp }: UpPlace,
): Promise<Pick<UpCluster, "cluster" | "cloudUrl">> {
  const onFailed = (error: unknown) => failed.abort(error);
  const parts = { stateDir, clock, onFailed, said: (text: string) => progress.said(text) };
  const cluster = cleanUp.use(await startCluster(context, wishes, parts));
  const { simulation } = wishes.platform;
  if (simulation === undefined) return { cluster, cloudUrl: "" };
  const { client } = cluster;
  const cloud = cleanUp.use(await startSimulation({ ...parts, client, logger: context.logger }, simulation));
  return { cluster, cloudUrl: cloud.url };
}

interface UpCluster extends UpWishes, Omit<UpPlace, "cleanUp"> {
  /** Empty where nothing is simulated. */
  readonly cloudUrl: string;
  readonly cluster: RunningCluster;
}

/** False when it is stopped, or out of time, before everything works. */
async function bringUp({ logger, signal }: CommandContext, up: UpCluster, outOfTime: AbortSignal): Promise<boolean> {
  const { client } = up.cluster;
  const { failed } = up;
  const until = AbortSignal.any([signal, outOfTime, failed.signal]);
  const deps = { client, clock: up.clock, logger, awaited: { nodeCount: up.nodes, sinceMs: up.sinceMs } };
  const { platform, cloudUrl } = up;
  const own = { payloadFolder: statePaths.payload(up.stateDir), version: versionText(), image: "stowage:latest" };
  const payload = { ...own, platform, cloudUrl };
  // A server in this very process has no outages: a failure there is to be seen.
  const insist = (work: () => Promise<void>) =>
    up.controlPlane === "kubernetes" ? despiteOutages(up.clock, until, work) : work();
  const installed = insist(() => install(deps, payload, until));
  // Noticed at once: nothing that is waited for would ever come.
  installed.catch((error: unknown) => failed.abort(error));
  for (const step of wantedSteps(up)) {
    up.progress.began(step);
    if (step.id === "claim") await insist(() => createDemo(client));
    if (!(await stepReached(deps, step, until))) {
      if (failed.signal.aborted) throw failed.signal.reason;
      return false;
    }
    up.progress.reached(step);
  }
  await installed;
  return true;
}

function wantedSteps({ demo, platform, controlPlane }: UpWishes): readonly Step[] {
  return [clusterStep(controlPlane), ...stepsTo(platform.driver), ...(demo ? demoSteps : []), lastStep];
}

function readyText({ cluster, platform, demo, output }: UpCluster): string {
  const { kubeconfigPath: kubeconfig, url: server } = cluster;
  const simulated = platform.simulation && platform.id;
  if (output === "text") return nextCommands(kubeconfig, { demo, simulated });
  const seconds = Math.round(processAgeMs()) / 1_000;
  return `${JSON.stringify({ ready: true, seconds, kubeconfig, server })}\n`;
}

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
