import {
  configObserverController,
  driverProxyPath,
  driverServingInfoPath,
  logLevelController,
  managementStateController,
  type OperatorController,
  proxyObserver,
  staleConditionsController,
  startingAfter,
  tlsObserver,
} from "@stowage/operator";
import type { OperatorProgram, OperatorProgramDeps } from "../../program/index.ts";
import { readDriverAssets } from "../assets/index.ts";
import { controllerNamesOf } from "../controller-names.ts";
import type { DriverOperatorContext } from "../driver-context.ts";
import type { DriverProfile } from "../driver-profile.ts";
import { removalController } from "../removal/index.ts";
import { snapshotClassControllers, storageClassControllers } from "./class-controllers.ts";
import { checkHosted, controllerNamespaceOf } from "./controller-side.ts";
import { credentialsControllers } from "./credentials-controllers.ts";
import { driverCopies, type KnownNames, whenKnown } from "./driver-copies.ts";
import { type DriverDeps, type DriverParticulars, driverDeps } from "./driver-deps.ts";
import { behindGate } from "./driver-gate.ts";
import { presenceController } from "./presence-controller.ts";
import { servingController, servingPlan } from "./serving-controller.ts";
import { staticControllers } from "./static-controllers.ts";
import { workloadControllers } from "./workload-controllers.ts";

/** The operator of any driver: what a profile and its assets say, done by the kit's controllers. */
export function createDriverOperator(programDeps: OperatorProgramDeps, profile: DriverProfile): OperatorProgram {
  const deps = driverDeps(programDeps, profile);
  // Everybody asks for it first thing; should it fail, each of them reports it.
  programDeps.mapper.resources().catch(() => {});
  const assets = readDriverAssets(profile);
  checkHosted(programDeps, profile);
  const plan = servingPlan({ ...profile, controllerNamespace: controllerNamespaceOf(programDeps) }, assets);
  const ownSecrets = [plan.authoritySecret, ...plan.requests.map(({ secret }) => secret), ...furtherSecrets(profile)];
  const copies = driverCopies(deps, profile, ownSecrets);
  const hooks = profile.ownHooks?.(copies.controller.sources) ?? {};
  const context = contextOf(programDeps, { operator: deps.operator, profile, copies });
  const { controllers: own = [], watches: ownWatches = [], ...parts } = profile.ownParts?.(context) ?? {};
  const { gate, classGate, followers = [] } = parts;
  const particulars: DriverParticulars = { profile, assets, hooks, copies };
  const observer = configObserver(deps, profile);
  const serving = servingController(deps, particulars, plan);
  const first = startingAfter([observer, serving, ...own], (signal) =>
    whenKnown(restartingNames(particulars), { clock: deps.clock, signal }),
  );
  return {
    controllers: [
      ...statusControllers(deps, profile),
      observer,
      ...(gate === undefined ? [] : [gate.controller]),
      ...behindGate(gate, [
        serving,
        ...own,
        ...staticControllers(deps, particulars),
        ...workloadControllers(deps, particulars, [...ownWatches, ...copies.hookWatches, first]),
        ...(classGate === undefined ? [] : [classGate.controller]),
        ...behindGate(classGate, storageClassControllers(deps, particulars)),
        ...snapshotClassControllers(deps, particulars),
        ...credentialsControllers(deps, particulars),
        ...followers,
      ]),
    ],
  };
}

/** What is in the Pods, or restarts them when it comes later. */
function restartingNames({ profile, copies }: DriverParticulars): KnownNames[] {
  const { namespace, node, companions = [] } = profile;
  const ofNodes = [node, ...companions.map(({ restartsFor }) => restartsFor)];
  return [
    { ...copies.controller, names: controllerNamesOf(profile, copies.controller.hosted !== undefined) },
    ...ofNodes.map((names) => ({ ...copies, namespace, names })),
  ];
}

function furtherSecrets({ readsSecrets = [], companions = [] }: DriverProfile): readonly string[] {
  return [...readsSecrets, ...companions.flatMap(({ restartsFor }) => restartsFor.secrets)];
}

function contextOf(
  deps: OperatorProgramDeps,
  { operator, profile, copies }: Pick<DriverDeps, "operator"> & Pick<DriverParticulars, "profile" | "copies">,
): DriverOperatorContext {
  const { facts, secrets, configMaps, deployments, controller } = copies;
  const own = { deps, operator, facts, namespace: profile.namespace, secrets, configMaps, deployments };
  return controller.hosted === undefined ? own : { ...own, controllerSide: controller };
}

function statusControllers(deps: DriverDeps, profile: DriverProfile): OperatorController[] {
  const { conditionPrefix, isRemovable, staleConditions = [] } = profile;
  return [
    presenceController(deps, profile),
    ...(isRemovable ? [removalController(deps, profile)] : []),
    logLevelController(deps, { control: deps.logLevel }),
    managementStateController(deps, { name: `${conditionPrefix}CSIDriver` }),
    ...(staleConditions.length === 0
      ? []
      : [staleConditionsController(deps, { name: `${conditionPrefix}Driver`, types: staleConditions })]),
  ];
}

function configObserver(deps: DriverDeps, { conditionPrefix }: DriverProfile): OperatorController {
  return configObserverController(deps, {
    name: `${conditionPrefix}DriverCSIConfigObserverController`,
    observers: [proxyObserver(deps, driverProxyPath), tlsObserver(deps, driverServingInfoPath)],
  });
}
