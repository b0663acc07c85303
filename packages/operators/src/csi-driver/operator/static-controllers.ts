import type { ClusterCSIDriver, KubernetesObject } from "@stowage/machinery";
import {
  type HookContext,
  localCopies,
  managementModeOf,
  type OperatorController,
  type StaticResource,
  staticResourcesController,
} from "@stowage/operator";
import { credentialsOf, csiDriverResource, type StaticAsset, staticResourcesOf } from "../assets/index.ts";
import { leftoversOf } from "../removal/index.ts";
import { watchingNames } from "./driver-copies.ts";
import type { DriverDeps, DriverParticulars } from "./driver-deps.ts";
import { lastRemoval } from "./last-removal.ts";

/**
 * What is kept as it is in the assets, in two parts as the originals have it: what stands around the controller, and what the cluster
 * needs, the CSIDriver among it. Watches: ConfigMaps of the driver's namespace; everything else is looked at on the server, each object
 * once in ten minutes. Owns: these objects. Writes conditions: `<P>Driver{ControlPlane,Guest}StaticResourcesControllerDegraded`. Deletes:
 * what the other mode of the sidecars has; on removal all of it, and what the sidecars leave behind, when the workloads are gone.
 */
export function staticControllers(deps: DriverDeps, particulars: DriverParticulars): OperatorController[] {
  const { controlPlane, guest } = particulars.assets;
  return [
    staticController(deps, particulars, { part: "ControlPlane", assets: controlPlane }),
    staticController(deps, particulars, { part: "Guest", assets: guest }),
  ];
}

interface StaticPart {
  readonly part: "ControlPlane" | "Guest";
  readonly assets: readonly StaticAsset[];
}

function staticController(
  deps: DriverDeps,
  particulars: DriverParticulars,
  { part, assets }: StaticPart,
): OperatorController {
  const { profile, copies } = particulars;
  const { assetPrefix, conditionPrefix } = profile;
  const side = part === "ControlPlane" ? copies.controller : { ...deps, ...copies, namespace: profile.namespace };
  const { client, mapper, namespace } = side;
  const place = { ...profile, controllerNamespace: copies.controller.namespace };
  const name = `${conditionPrefix}Driver${part}StaticResourcesController`;
  const isLeaving = (operator: ClusterCSIDriver) => managementModeOf(operator, deps.operator.management) === "remove";
  const local = localCopies([{ informer: side.configMaps, covers: (ref) => ref.namespace === namespace }]);
  return staticResourcesController<ClusterCSIDriver>(
    { ...deps, client, mapper, local },
    {
      name,
      resources: async (operator, signal) => [
        ...(await staticResourcesOf(place, assets, isLeaving(operator) ? withoutOverrides(operator) : operator)).filter(
          (resource) => isWanted(resource, copies),
        ),
        ...(part === "Guest" ? await furtherResources(particulars, { operator, signal }, isLeaving(operator)) : []),
      ],
      watches: [
        ...watchingNames(side, { secrets: [], configMaps: [`${assetPrefix}-trusted-ca-bundle`] }),
        ...(part === "Guest" ? copies.hookWatches : []),
      ],
      ...(profile.isRemovable && { whenRemoved: "delete" }),
      ...lastRemoval(particulars, name, part === "Guest" ? () => leftoversIn(particulars) : undefined),
    },
  );
}

/** Who looks after a hosted control plane has its own ways to its metrics. */
function isWanted({ object }: StaticResource, { controller }: DriverParticulars["copies"]): boolean {
  const isOfControlPlane = object.metadata.namespace === controller.namespace;
  return controller.hosted === undefined || object.kind !== "ServiceMonitor" || !isOfControlPlane;
}

/**
 * The CSIDriver, which has no controller of its own in the originals either. And, on removal, what the driver got into the cloud by:
 * until then the CredentialsRequests have controllers of their own, which leave them to it.
 */
async function furtherResources(
  { profile, assets, hooks }: DriverParticulars,
  context: HookContext<ClusterCSIDriver>,
  isLeaving: boolean,
): Promise<StaticResource[]> {
  const csiDriver = await csiDriverResource(profile, assets.csiDriver, { hooks, context });
  if (!isLeaving) return [csiDriver];
  const requests = credentialsOf(profile, assets.credentials).map(({ request }) => request);
  return [csiDriver, ...requests.map((object) => ({ asset: "credentials.yaml", object, optional: true }))];
}

function leftoversIn({ profile, assets, copies }: DriverParticulars): KubernetesObject[] {
  return leftoversOf(profile, { hasController: assets.controller !== undefined, journals: copies.configMaps.objects });
}

/** Whatever nonsense the resource asks for by now must not keep its driver from being removed. */
function withoutOverrides(operator: ClusterCSIDriver): ClusterCSIDriver {
  const { unsupportedConfigOverrides: _overrides, ...spec } = operator.spec;
  return { ...operator, spec };
}
