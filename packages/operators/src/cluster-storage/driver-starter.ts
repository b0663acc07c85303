import { type RelatedObject, type Storage, StowageError } from "@stowage/machinery";
import {
  type ClusterFacts,
  failureText,
  type OperatorController,
  type OperatorSyncContext,
  operatorController,
  type StatedCondition,
  watching,
} from "@stowage/operator";
import { ControllerGroup } from "./controller-group.ts";
import { createDriverManager, type DriverManager } from "./driver-manager/index.ts";
import { type DriverOperatorEntry, startDecision } from "./driver-operators/index.ts";
import type { StorageOperatorContext } from "./storage-operator-context.ts";

export interface DriverStarter extends OperatorController {
  /** Of the drivers that were started; undefined until it is known which are. */
  relatedObjects(): Promise<RelatedObject[] | undefined>;
}

export interface DriverStarterSpec {
  readonly entries: readonly DriverOperatorEntry[];
  /** Some driver was started, or it was found that none is to be. */
  readonly onDecided: () => void;
}

// Also who says the condition below.
const controllerName = "CSIDriverStarter";
const upgradeable = { type: "StorageOperatorUpgradeable", status: "True" } as const;
const hostedType = "CSIDriverStarterHosted";

/**
 * Starts what keeps a driver's operator, once the cluster turns out to be one that the driver is for. It never stops it: a platform
 * does not change, and a driver that lost its operator would go on without anybody who looks after it.
 * Watches: the Storage, Infrastructure, nodes, CSIDrivers, ClusterCSIDrivers. Writes conditions: `CSIDriverStarterDegraded`, also when
 * somebody else's driver is in the way; `StorageOperatorUpgradeable`, as long as no driver is there to say so; `CSIDriverStarterHosted`,
 * when a driver of the platform cannot be run from beside a hosted control plane.
 */
export function driverStarter(context: StorageOperatorContext, spec: DriverStarterSpec): DriverStarter {
  const state: State = { managers: new Map(), notHosted: new Set(), group: undefined, isDecided: false };
  const names = new Set(spec.entries.map(({ driverName }) => driverName));
  const ofEntry = ({ metadata }: { readonly metadata: { readonly name?: string } }) => names.has(metadata.name ?? "");
  const { name, trigger, firstLook, run } = operatorController(context, {
    name: controllerName,
    watches: [
      context.facts,
      watching(context.csiDrivers, { matches: ofEntry }),
      watching(context.driverResources, { matches: ofEntry, isNews: () => false }),
    ],
    // Facts may come from an API that was not there at the start.
    resyncMs: 60_000,
    sync: (sync) => syncDrivers({ context, spec, state }, sync),
  });
  return {
    name,
    trigger,
    firstLook,
    async run(signal) {
      state.group = new ControllerGroup(signal);
      state.group.start({ run });
      await state.group.ended();
    },
    async relatedObjects() {
      if (!state.isDecided) return undefined;
      return (await Promise.all([...state.managers.values()].map((manager) => manager.relatedObjects()))).flat();
    },
  };
}

interface State {
  readonly managers: Map<string, DriverManager>;
  /** Operators that are for the cluster and do not run beside its control plane. */
  readonly notHosted: Set<string>;
  group: ControllerGroup | undefined;
  isDecided: boolean;
}

interface Starter {
  readonly context: StorageOperatorContext;
  readonly spec: DriverStarterSpec;
  readonly state: State;
}

/** A driver that cannot be started does not keep the others from it. */
async function syncDrivers(starter: Starter, sync: OperatorSyncContext<Storage>): Promise<void> {
  const { context, spec, state } = starter;
  const facts = await context.facts.current(sync.signal);
  const failures: unknown[] = [];
  const before = state.managers.size;
  const leftAlone = new Set(state.notHosted);
  state.notHosted.clear();
  for (const entry of spec.entries) {
    if (state.managers.has(entry.driverName)) continue;
    try {
      startIfWanted(starter, entry, facts);
    } catch (error) {
      failures.push(error);
    }
  }
  if (!state.isDecided || state.managers.size > before) {
    state.isDecided = true;
    spec.onDecided();
  }
  const news = [...state.notHosted].filter((operator) => !leftAlone.has(operator));
  for (const operator of news) {
    context.logger.warn({ operator }, "the driver's operator does not run beside a hosted control plane");
  }
  await sayState(starter, sync);
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new StowageError("DRIVERS_NOT_STARTED", failures.map(failureText).join("\n"));
}

function startIfWanted({ context, state }: Starter, entry: DriverOperatorEntry, facts: ClusterFacts): void {
  const { csiDrivers, driverResources, logger, operators } = context;
  const { driverName, operatorName } = entry;
  const csiDriver = csiDrivers.objects.get({ name: driverName });
  const isInstalled = driverResources.objects.get({ name: driverName }) !== undefined;
  const isHosted = operators.hosted !== undefined;
  const decision = startDecision(entry, { facts, csiDriver, isInstalled, isHosted });
  if (decision === "skip") return;
  if (decision === "not-hosted") {
    state.notHosted.add(operatorName);
    return;
  }
  if (decision === "foreign") throw foreignDriver(entry);
  const manager = createDriverManager(context, entry);
  state.managers.set(driverName, manager);
  for (const controller of manager.controllers) state.group?.start(controller);
  logger.info(
    { driver: driverName, operator: operatorName, platform: facts.platform },
    "the driver's operator is started",
  );
}

/** Taken back when it is no longer so; nothing is sent when it was never said. */
async function sayState({ context, state }: Starter, { operator, signal }: OperatorSyncContext<Storage>) {
  const conditions = starterConditions(state.managers.size > 0, [...state.notHosted]);
  const isSaid = operator.status?.conditions?.some(({ type }) => type === upgradeable.type || type === hostedType);
  if (conditions.length === 0 && !isSaid) return;
  await context.operator.applyStatus(controllerName, { conditions }, signal);
}

/** A driver says itself whether it can be upgraded. One that cannot be run here is no trouble of storage: somebody may bring another. */
export function starterConditions(isAnyStarted: boolean, notHosted: readonly string[]): StatedCondition[] {
  const message =
    `${notHosted.join(" and ")} cannot be run from beside a hosted control plane and was not started. ` +
    "To have the driver, run its operator in the guest: stowage driver-operator without --guest-kubeconfig.";
  return [
    ...(isAnyStarted ? [] : [upgradeable]),
    ...(notHosted.length === 0
      ? []
      : [{ type: hostedType, status: "False", reason: "DriverNotHosted", message } as const]),
  ];
}

function foreignDriver({ driverName, operatorName }: DriverOperatorEntry): StowageError {
  return new StowageError(
    "DRIVER_NOT_OURS",
    `CSIDriver ${driverName} was installed by somebody else, so ${operatorName} was not started and nothing was changed`,
    {
      nextStep: `To have the one of this cluster installed, remove that driver and its CSIDriver ${driverName}.`,
    },
  );
}
