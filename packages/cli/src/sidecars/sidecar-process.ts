import { createCsiClient } from "@stowage/csi";
import type { Logger } from "@stowage/machinery";
import { type DriverProfile, readDriverProfile } from "@stowage/sidecars";
import { Registry } from "prom-client";
import { createFence } from "../cluster/fence.ts";
import type { CommandContext } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import type { OptionValues } from "../options/option-table.ts";
import { type ClusterDeps, runOnCluster } from "./cluster-run.ts";
import type { ClusterSidecarOptions, driverSidecarOptions } from "./common-options.ts";
import { stopOnLostDriver } from "./lost-driver.ts";
import type { SidecarMaker, SidecarPlace } from "./sidecar-maker.ts";

export type SidecarProcessOptions = ClusterSidecarOptions & OptionValues<typeof driverSidecarOptions>;

/** A sidecar and the values of its own flags. */
export interface ChosenSidecar {
  readonly maker: SidecarMaker;
  readonly options: Readonly<Record<string, never>>;
}

export interface SidecarRun {
  readonly chosen: readonly ChosenSidecar[];
  readonly options: SidecarProcessOptions;
  /** A sidecar that was started by its own name and has nothing to do ends; one of several is left out. */
  readonly isAlone: boolean;
}

/** Runs sidecars beside a driver until the command is stopped, the driver goes away, or leadership is lost. */
export async function runSidecarProcess(context: CommandContext, run: SidecarRun): Promise<number> {
  const { logger } = context;
  const fence = createFence();
  const registry = new Registry();
  const lost = stopOnLostDriver(context);
  const csi = createCsiClient({
    endpoint: run.options.csiAddress,
    logger,
    metrics: registry,
    beforeCall: () => fence.check(),
    onConnectionLost: lost.onConnectionLost,
  });
  try {
    await csi.waitForReady({ signal: lost.signal });
    const driver = await readDriverProfile(csi);
    const chosen = usefulSidecars(run, driver, context);
    if (chosen.length === 0) return exitCodes.failure;
    const clusterRun = {
      options: run.options,
      fence,
      registry,
      component: driver.name,
      isAlone: run.isAlone,
      leaseNames: chosen.map(({ maker }) => maker.lease(driver.name)),
      make: (deps: ClusterDeps, place: SidecarPlace) =>
        Promise.all(chosen.map(async ({ maker, options }) => maker.create({ ...deps, csi, driver }, options, place))),
    };
    await runOnCluster(context, clusterRun, lost.signal);
  } finally {
    lost.ignore();
    csi.close();
  }
  return lost.isLost() ? exitCodes.failure : exitCodes.success;
}

/** Runs a sidecar that needs no driver beside it. */
export async function runDriverlessSidecar(
  context: CommandContext,
  { maker, options }: ChosenSidecar,
  common: ClusterSidecarOptions,
): Promise<number> {
  const clusterRun = {
    options: common,
    fence: createFence(),
    registry: new Registry(),
    component: maker.flags.name,
    isAlone: true,
    leaseNames: [maker.lease("")],
    // Its own dependencies have neither a driver nor a client for one.
    make: async (deps: ClusterDeps, place: SidecarPlace) => [await maker.create(deps as never, options, place)],
  };
  await runOnCluster(context, clusterRun, context.signal);
  return exitCodes.success;
}

/** Those that have something to do for the driver. What is left out has been said. */
function usefulSidecars(
  { chosen, isAlone }: SidecarRun,
  driver: DriverProfile,
  { logger, terminal }: CommandContext,
): readonly ChosenSidecar[] {
  const kept = chosen.filter(({ maker }) => {
    const reason = maker.flags.idleReason?.(driver);
    if (reason === undefined) return true;
    if (isAlone) terminal.err(`stowage sidecar ${maker.flags.name}: ${reason}\n`);
    else sayOff(logger, maker, reason);
    return false;
  });
  if (kept.length === 0 && !isAlone) {
    terminal.err(`stowage sidecars: none of the controllers has anything to do for driver ${driver.name}\n`);
  }
  return kept;
}

function sayOff(logger: Logger, { flags }: SidecarMaker, reason: string): void {
  logger.info({ controller: flags.name, reason }, "controller is switched off");
}
