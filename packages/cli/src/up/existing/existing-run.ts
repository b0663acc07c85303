import { createRestMapper, type KubeClient } from "@stowage/kube";
import { nodes, StowageError, systemClock } from "@stowage/machinery";
import type { CommandContext } from "../../command.ts";
import { connectToCluster } from "../../compose.ts";
import { isConfirmed } from "../../destroy/confirmation.ts";
import { exitCodes } from "../../exit-codes.ts";
import { missingImageSetting } from "../../payload/missing-images.ts";
import { applyObject, createDemo } from "../installation.ts";
import { type PlatformId, upPlatforms } from "../platforms/index.ts";
import { processAgeMs } from "../process-age.ts";
import { type StepWaitDeps, stepReached } from "../step-wait.ts";
import { demoSteps, lastStep, type Step, stepsTo } from "../steps.ts";
import { createUpProgress, secondsText, type UpProgress } from "../up-progress.ts";
import type { UpTerminal } from "../up-run.ts";
import { type InstallationPlan, planInstallation } from "./installation-plan.ts";
import { type ExistingInstallation, installedObjects } from "./installed-objects.ts";
import { countText, planDocument, planText } from "./plan-text.ts";

export interface ExistingOptions {
  readonly kubeconfig: string;
  readonly context?: string | undefined;
  readonly image?: string | undefined;
  readonly setImage?: readonly string[] | undefined;
  readonly platform?: PlatformId | undefined;
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly wait: boolean;
  readonly demo: boolean;
  /** In milliseconds. */
  readonly timeout: number;
  readonly output: "text" | "json";
}

export interface UpSitting extends UpTerminal {
  /** Somebody sits there who can be asked. */
  readonly isInteractive: boolean;
  readonly input: NodeJS.ReadableStream;
}

/** Installs in a cluster that is there, after somebody has agreed, and waits until storage works. Returns the exit code. */
export async function runUpOnExisting(
  context: CommandContext,
  options: ExistingOptions,
  sitting: UpSitting,
): Promise<number> {
  const { terminal, logger } = context;
  using access = await connectToCluster(context, options);
  const { client } = access;
  const installation = installationOf(options);
  // Programs that read JSON are not asked anything.
  const isAsked = sitting.isInteractive && options.output === "text";
  if (!options.dryRun && !options.yes && !isAsked)
    throw new StowageError("UP_UNCONFIRMED", `nobody has agreed that Stowage is installed in ${client.server}`);
  const { own, payload } = await installedObjects(installation);
  const plan = await planInstallation({ client, mapper: createRestMapper({ client, logger }) }, own, payload);
  if (options.dryRun) {
    terminal.out(options.output === "json" ? `${JSON.stringify(planDocument(plan))}\n` : planText(plan));
    return exitCodes.success;
  }
  if (!(await isAgreed(context, options, { plan, server: client.server, sitting }))) {
    terminal.err("nothing was changed\n");
    return exitCodes.failure;
  }
  for (const object of own) await applyObject(client, object);
  // Awaited here: the connection ends with this function.
  if (options.wait) return await awaitStorage(context, options, { client, sitting });
  terminal.err(`installed in ${client.server}; \`stowage status\` tells how far it is\n`);
  return exitCodes.success;
}

/** Throws UP_OPTIONS for what cannot be meant. */
function installationOf({ image, setImage = [], platform }: ExistingOptions): ExistingInstallation {
  if (image === undefined)
    throw new StowageError("UP_OPTIONS", "--kubeconfig needs --image: a cluster that is there pulls it");
  if (platform !== undefined && platform !== "local")
    throw new StowageError("UP_OPTIONS", `${platform} can be simulated on the embedded cluster alone`);
  return { image, setImage: [missingImageSetting, ...setImage], platform: platform ?? "detected" };
}

interface Question {
  readonly plan: InstallationPlan;
  readonly server: string;
  readonly sitting: UpSitting;
}

async function isAgreed(
  { signal }: CommandContext,
  { yes }: ExistingOptions,
  { plan: { own, payload }, server, sitting }: Question,
): Promise<boolean> {
  if (yes) return true;
  const question = `Install Stowage in ${server} (objects: ${countText([...own, ...payload])})? Type yes to go on: `;
  return isConfirmed(question, "yes", { input: sitting.input, signal });
}

interface InstalledCluster {
  readonly client: KubeClient;
  readonly sitting: UpTerminal;
}

async function awaitStorage(
  context: CommandContext,
  options: ExistingOptions,
  { client, sitting }: InstalledCluster,
): Promise<number> {
  const { terminal, signal, logger } = context;
  const { columns, hasColours } = sitting;
  const isJson = options.output === "json";
  using progress = createUpProgress({ terminal, columns, hasColours, isJson, elapsedMs: processAgeMs });
  const outOfTime = AbortSignal.timeout(options.timeout);
  const nodeCount = (await client.list(nodes)).items.length;
  const deps = { client, clock: systemClock, logger, awaited: { nodeCount, sinceMs: 0 } };
  const way = { steps: wantedSteps(options), progress, image: options.image };
  if (await areReached(deps, way, AbortSignal.any([signal, outOfTime]))) return exitCodes.success;
  if (outOfTime.aborted)
    throw new StowageError("UP_TIMED_OUT", `storage did not work after ${secondsText(options.timeout)}`);
  return exitCodes.interrupted;
}

interface Way {
  readonly steps: readonly Step[];
  readonly progress: UpProgress;
  /** For the demonstration. */
  readonly image: string | undefined;
}

async function areReached(deps: StepWaitDeps, { steps, progress, image }: Way, signal: AbortSignal): Promise<boolean> {
  for (const step of steps) {
    progress.began(step);
    if (step.id === "claim") await createDemo(deps.client, image);
    if (!(await stepReached(deps, step, signal))) return false;
    progress.reached(step);
  }
  return true;
}

/** Which driver there will be is known only where one was asked for. */
function wantedSteps({ platform, demo }: ExistingOptions): readonly Step[] {
  const { driver } = upPlatforms.local;
  const known = platform === "local" ? ["storage-operator", "driver-operator", "driver"] : [];
  const ids = ["version-operator", ...known, ...(demo ? ["class"] : [])];
  return [...stepsTo(driver).filter(({ id }) => ids.includes(id)), ...(demo ? demoSteps : []), lastStep];
}
