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
import type { DriverProfile, WatchedNames } from "../driver-profile.ts";
import { classControllers } from "./class-controllers.ts";
import { driverCopies, whenKnown } from "./driver-copies.ts";
import { type DriverDeps, type DriverParticulars, driverDeps } from "./driver-deps.ts";
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
  const plan = servingPlan(profile, assets);
  const ownSecrets = [plan.authoritySecret, ...plan.requests.map(({ secret }) => secret)];
  const copies = driverCopies(deps, profile, ownSecrets);
  const { facts, secrets, configMaps } = copies;
  const { namespace } = profile;
  const hooks = profile.ownHooks?.(copies.sources) ?? {};
  const context = { deps: programDeps, operator: deps.operator, facts, namespace, secrets, configMaps };
  const { controllers: own = [], watches: ownWatches = [] } = profile.ownParts?.(context) ?? {};
  const particulars: DriverParticulars = { profile, assets, hooks, copies };
  const observer = configObserver(deps, profile);
  const serving = servingController(deps, profile, { plan, copies });
  // What these make is in the Pods, or restarts them when it comes later.
  const { clock } = deps;
  const first = startingAfter([observer, serving, ...own], (signal) =>
    whenKnown(copies, { names: bothOf(profile), namespace }, { clock, signal }),
  );
  return {
    controllers: [
      ...statusControllers(deps, profile),
      observer,
      serving,
      ...own,
      ...staticControllers(deps, particulars),
      ...workloadControllers(deps, particulars, [...ownWatches, first]),
      ...classControllers(deps, particulars),
    ],
  };
}

/** For which Pods of either kind restart. */
function bothOf({ controller, node }: DriverProfile): WatchedNames {
  return {
    secrets: [...controller.secrets, ...node.secrets],
    configMaps: [...controller.configMaps, ...node.configMaps],
  };
}

function statusControllers(deps: DriverDeps, profile: DriverProfile): OperatorController[] {
  const { conditionPrefix, staleConditions = [] } = profile;
  return [
    presenceController(deps, profile),
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
