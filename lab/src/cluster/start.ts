import type { Binaries } from "../build/build.ts";
import type { Component, ComponentName, Plan } from "../components/component.ts";
import { desiredComponents, desiredStages } from "../components/components.ts";
import { ensureImages } from "../node/images.ts";
import { ensureMachine } from "../node/machine.ts";
import { startDaemon } from "../process/daemon.ts";
import { runningDaemon } from "../process/pid-file.ts";
import { type Progress, seconds } from "../progress.ts";
import { requireFreePort } from "./ports.ts";
import { awaitDefaults, awaitNode, awaitReady } from "./readiness.ts";
import { stopComponents } from "./stop.ts";

export interface StartContext {
  readonly plan: Plan;
  readonly binaries: Binaries;
  readonly progress: Progress;
  readonly signal?: AbortSignal;
}

/** Starts what does not run, in order, and waits until the cluster is ready for clients. Returns what it started. */
export async function bringUp(context: StartContext): Promise<ComponentName[]> {
  const { plan, signal } = context;
  const hasNode = plan.settings.level === "node";
  const running = new Set(runningNames(plan));
  const startedAt = new Date();
  try {
    if (hasNode) await ensureMachine(plan);
    for (const stage of desiredStages(plan)) {
      await startStage(context, stage);
      if (stage.some(({ name }) => name === "containerd")) await ensureNodeImages(context);
    }
    await awaitDefaults(plan, signal);
    if (hasNode) await awaitNode(plan, running.has("kubelet") ? new Date(0) : startedAt, signal);
    return runningNames(plan).filter((name) => !running.has(name));
  } catch (error) {
    // Half a lab would only puzzle the next command; the logs stay.
    await stopComponents(plan, context.progress, (name) => !running.has(name));
    throw error;
  }
}

/** Starts one component and waits until it is ready. */
export async function startComponent(context: StartContext, component: Component): Promise<void> {
  await startStage(context, [component]);
}

async function startStage(context: StartContext, stage: readonly Component[]): Promise<void> {
  const { plan, progress, signal } = context;
  const missing = stage.filter(({ name }) => runningDaemon(plan.dir, name) === undefined);
  const since = performance.now();
  for (const component of missing) await startProcess(context, component);
  await Promise.all(
    stage.map(async (component) => {
      await awaitReady(plan.dir, component, signal);
      if (missing.includes(component)) progress.line(`${component.name} is ready after ${seconds(since)}`);
    }),
  );
}

async function startProcess({ plan, binaries, signal }: StartContext, component: Component): Promise<void> {
  signal?.throwIfAborted();
  for (const port of component.ports) await requireFreePort(plan.settings.ports[port], component.host, component.name);
  const { name, arguments: daemonArguments } = component;
  await startDaemon(plan.dir, { name, arguments: daemonArguments, ...(await programOf(component, binaries)) });
}

async function programOf({ program }: Component, binaries: Binaries): Promise<{ file: string; version: string }> {
  if ("command" in program) return { file: program.command, version: await program.version() };
  const binary = binaries[program.binary];
  if (binary === undefined) throw new TypeError(`${program.binary} was not built`);
  return { file: binary.path, version: binary.version };
}

async function ensureNodeImages({ plan, binaries, progress, signal }: StartContext): Promise<void> {
  const pause = binaries.pause;
  if (pause === undefined) throw new TypeError("pause was not built");
  await ensureImages(plan.dir, pause.path, { progress, signal });
}

function runningNames(plan: Plan): ComponentName[] {
  const names = desiredComponents(plan).map(({ name }) => name);
  return names.filter((name) => runningDaemon(plan.dir, name) !== undefined);
}
