import type { ClusterCSIDriver } from "@stowage/machinery";
import {
  daemonSetController,
  deploymentController,
  deploymentVersionController,
  type OperatorController,
  type OperatorWatch,
  operatorFinalizer,
} from "@stowage/operator";
import {
  companionDaemonSets,
  companionDeployments,
  controllerSpec,
  type DriverWorkloadInput,
  nodeSpec,
} from "../assets/index.ts";
import { controllerNamesOf } from "../controller-names.ts";
import type { DriverProfile, WatchedNames } from "../driver-profile.ts";
import type { ControllerSide } from "./controller-side.ts";
import { type DriverCopies, watchingNames } from "./driver-copies.ts";
import type { DriverDeps, DriverParticulars } from "./driver-deps.ts";
import { workloadNames } from "./workload-names.ts";

/**
 * The driver itself: its controller Deployment, where it has one, and its DaemonSet. Each watches: its workload, the Infrastructure,
 * nodes, and the Secrets and ConfigMaps for which its Pods restart. Writes conditions: `<P>DriverControllerServiceController` and
 * `<P>DriverNodeServiceController` with `Available`, `Progressing` and `Degraded`; of companions by the names that the profile has for
 * them. Deletes: the workload, on removal.
 */
export function workloadControllers(
  deps: DriverDeps,
  particulars: DriverParticulars,
  /** Of the driver's own parts, and what has to be there before. */
  furtherWatches: readonly OperatorWatch[],
): OperatorController[] {
  const { profile, assets, hooks, copies } = particulars;
  const { controller: side } = copies;
  const input: DriverWorkloadInput = { profile, assets, hooks, sources: copies.sources, env: deps.env };
  const watchesFor = (
    { secrets, configMaps }: WatchedNames,
    place: Pick<DriverCopies, "secrets" | "configMaps"> = copies,
  ) => [
    copies.facts,
    ...watchingNames(place, { secrets, configMaps: [...configMaps, `${profile.assetPrefix}-trusted-ca-bundle`] }),
    ...furtherWatches,
  ];
  const controller = controllerSpec({ ...input, sources: side.sources, ...hostedOf(side) });
  const node = nodeSpec(input);
  return [
    ...(controller === undefined
      ? []
      : [
          deploymentController<ClusterCSIDriver>(
            { ...deps, client: side.client, mapper: side.mapper, informer: side.deployments },
            {
              ...controller,
              ...finalizerOf(profile, controller.name),
              watches: [
                ...watchesFor(controllerNamesOf(profile, side.hosted !== undefined), side),
                ...(side.hosted === undefined ? [] : [side.hosted]),
              ],
            },
          ),
          ...versionControllers(deps, particulars),
        ]),
    daemonSetController<ClusterCSIDriver>(
      { ...deps, informer: copies.daemonSets },
      { ...node, ...finalizerOf(profile, node.name), watches: watchesFor(profile.node) },
    ),
    ...companionDeployments(input).map(({ companion, spec }) =>
      deploymentController<ClusterCSIDriver>(
        { ...deps, informer: copies.deployments },
        { ...spec, ...finalizerOf(profile, spec.name), watches: watchesFor(companion.restartsFor) },
      ),
    ),
    ...companionDaemonSets(input).map(({ companion, spec }) =>
      daemonSetController<ClusterCSIDriver>(
        { ...deps, informer: copies.daemonSets },
        { ...spec, ...finalizerOf(profile, spec.name), watches: watchesFor(companion.restartsFor) },
      ),
    ),
  ];
}

function hostedOf({ hosted, namespace }: ControllerSide): Pick<DriverWorkloadInput, "hosted"> {
  return hosted === undefined ? {} : { hosted: { namespace, facts: hosted } };
}

/** HyperShift asks which version runs beside its control plane. */
function versionControllers(deps: DriverDeps, { profile, copies, assets }: DriverParticulars): OperatorController[] {
  const { hosted, client, namespace, deployments } = copies.controller;
  const { OPERATOR_IMAGE_VERSION: version } = deps.env;
  const [deployment] = workloadNames(profile, assets);
  if (hosted === undefined || !version || deployment === undefined) return [];
  const name = `${profile.conditionPrefix}DeploymentVersionController`;
  return [
    deploymentVersionController({ ...deps, client, informer: deployments }, { name, namespace, deployment, version }),
  ];
}

function finalizerOf({ isRemovable, operatorName }: DriverProfile, controllerName: string) {
  return isRemovable ? { finalizer: operatorFinalizer(operatorName, controllerName) } : {};
}
