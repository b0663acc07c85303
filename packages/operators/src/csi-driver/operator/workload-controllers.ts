import type { ClusterCSIDriver } from "@stowage/machinery";
import {
  daemonSetController,
  deploymentController,
  type OperatorController,
  type OperatorWatch,
  operatorFinalizer,
} from "@stowage/operator";
import { controllerSpec, type DriverWorkloadInput, nodeSpec } from "../assets/index.ts";
import type { DriverProfile, WatchedNames } from "../driver-profile.ts";
import { watchingNames } from "./driver-copies.ts";
import type { DriverDeps, DriverParticulars } from "./driver-deps.ts";

/**
 * The driver itself: its controller Deployment, where it has one, and its DaemonSet. Each watches: its workload, the Infrastructure,
 * nodes, and the Secrets and ConfigMaps for which its Pods restart. Writes conditions: `<P>DriverControllerServiceController` and
 * `<P>DriverNodeServiceController` with `Available`, `Progressing` and `Degraded`. Deletes: the workload, on removal.
 */
export function workloadControllers(
  deps: DriverDeps,
  particulars: DriverParticulars,
  /** Of the driver's own parts, and what has to be there before. */
  furtherWatches: readonly OperatorWatch[],
): OperatorController[] {
  const { profile, assets, hooks, copies } = particulars;
  const input: DriverWorkloadInput = { profile, assets, hooks, sources: copies.sources, env: deps.env };
  const watchesFor = ({ secrets, configMaps }: WatchedNames) => [
    copies.facts,
    ...watchingNames(copies, { secrets, configMaps: [...configMaps, `${profile.assetPrefix}-trusted-ca-bundle`] }),
    ...furtherWatches,
  ];
  const controller = controllerSpec(input);
  const node = nodeSpec(input);
  return [
    ...(controller === undefined
      ? []
      : [
          deploymentController<ClusterCSIDriver>(
            { ...deps, informer: copies.deployments },
            { ...controller, ...finalizerOf(profile, controller.name), watches: watchesFor(profile.controller) },
          ),
        ]),
    daemonSetController<ClusterCSIDriver>(
      { ...deps, informer: copies.daemonSets },
      { ...node, ...finalizerOf(profile, node.name), watches: watchesFor(profile.node) },
    ),
  ];
}

function finalizerOf({ isRemovable, operatorName }: DriverProfile, controllerName: string) {
  return isRemovable ? { finalizer: operatorFinalizer(operatorName, controllerName) } : {};
}
