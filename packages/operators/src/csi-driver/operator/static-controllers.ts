import type { ClusterCSIDriver } from "@stowage/machinery";
import {
  localCopies,
  type OperatorController,
  operatorFinalizer,
  type StaticRemoval,
  staticResourcesController,
} from "@stowage/operator";
import { type StaticAsset, staticResourcesOf } from "../assets/index.ts";
import { watchingNames } from "./driver-copies.ts";
import type { DriverDeps, DriverParticulars } from "./driver-deps.ts";
import { workloadNames } from "./workload-names.ts";

/**
 * What is kept as it is in the assets, in two parts as the originals have it: what stands around the controller, and what the cluster
 * needs, the CSIDriver among it. Watches: ConfigMaps of the driver's namespace; everything else is looked at on the server, each object
 * once in ten minutes. Owns: these objects. Writes conditions: `<P>Driver{ControlPlane,Guest}StaticResourcesControllerDegraded`. Deletes:
 * what the other mode of the sidecars has; all of it on removal, when the workloads are gone.
 */
export function staticControllers(deps: DriverDeps, particulars: DriverParticulars): OperatorController[] {
  const { controlPlane, guest, csiDriver } = particulars.assets;
  // The CSIDriver has no controller of its own in the originals either.
  const all = [...guest, { asset: csiDriver, mode: undefined }];
  return [
    staticController(deps, particulars, { part: "ControlPlane", assets: controlPlane }),
    staticController(deps, particulars, { part: "Guest", assets: all }),
  ];
}

function staticController(
  deps: DriverDeps,
  particulars: DriverParticulars,
  { part, assets }: { readonly part: "ControlPlane" | "Guest"; readonly assets: readonly StaticAsset[] },
): OperatorController {
  const { profile, copies } = particulars;
  const { namespace, assetPrefix, conditionPrefix } = profile;
  const name = `${conditionPrefix}Driver${part}StaticResourcesController`;
  const local = localCopies([{ informer: copies.configMaps, covers: (ref) => ref.namespace === namespace }]);
  return staticResourcesController<ClusterCSIDriver>(
    { ...deps, local },
    {
      name,
      resources: (operator) =>
        staticResourcesOf(profile, assets, isLeaving(operator) ? withoutOverrides(operator) : operator),
      watches: watchingNames(copies, { secrets: [], configMaps: [`${assetPrefix}-trusted-ca-bundle`] }),
      ...(profile.isRemovable && { whenRemoved: "delete", removal: removalOf(particulars, name) }),
    },
  );
}

/** A driver must not lose its rights while it unmounts. */
function removalOf({ profile, assets, copies }: DriverParticulars, name: string): StaticRemoval {
  const { namespace, operatorName } = profile;
  const names = workloadNames(profile, assets);
  const isThere = (workload: string) =>
    [copies.deployments, copies.daemonSets].some(
      ({ objects }) => objects.get({ namespace, name: workload }) !== undefined,
    );
  return { finalizer: operatorFinalizer(operatorName, name), isBlocked: () => names.some(isThere) };
}

function isLeaving({ metadata, spec }: ClusterCSIDriver): boolean {
  return spec.managementState === "Removed" || metadata.deletionTimestamp !== undefined;
}

/** Whatever nonsense the resource asks for by now must not keep its driver from being removed. */
function withoutOverrides(operator: ClusterCSIDriver): ClusterCSIDriver {
  const { unsupportedConfigOverrides: _overrides, ...spec } = operator.spec;
  return { ...operator, spec };
}
