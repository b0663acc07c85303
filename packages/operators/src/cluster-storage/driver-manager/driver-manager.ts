import type { Informer } from "@stowage/kube";
import { clusterCSIDrivers, type Deployment, deployments, type RelatedObject } from "@stowage/machinery";
import {
  deploymentVersionController,
  type OperatorController,
  relatedObjectsOf,
  servingRequestsOf,
} from "@stowage/operator";
import { type DriverOperatorEntry, driverOperatorAssets, hostedOperatorAssets } from "../driver-operators/index.ts";
import { driverOperatorCertificates } from "../serving-certificates.ts";
import type { StorageOperatorContext } from "../storage-operator-context.ts";
import { driverResourceController } from "./driver-resource-controller.ts";
import { operatorDeployment } from "./operator-deployment.ts";
import { guestObjects, operatorObjects } from "./operator-objects.ts";

/** Everything that keeps one driver's operator. Made when the driver is started: until then nothing of it is watched. */
export interface DriverManager {
  readonly controllers: readonly OperatorController[];
  /** For the ClusterOperator, and so of the cluster that it is in. */
  relatedObjects(): Promise<RelatedObject[]>;
}

export function createDriverManager(context: StorageOperatorContext, entry: DriverOperatorEntry): DriverManager {
  const { hosted, informers, namespace } = context.operators;
  const isHosted = hosted !== undefined;
  const assets = isHosted ? hostedOperatorAssets(entry, namespace) : driverOperatorAssets(entry);
  const informer = informers.informer(deployments, { namespace });
  const { deployment: asset, resource } = assets;
  const objects = operatorObjects(context, entry, assets);
  const requests = servingRequestsOf(assets.fixed.map(({ object }) => object));
  return {
    controllers: [
      objects,
      ...(isHosted ? [guestObjects(context, entry, assets), ...versionControllers(context, entry, informer)] : []),
      driverOperatorCertificates(context, { conditionPrefix: entry.conditionPrefix, requests }),
      operatorDeployment(context, entry, { asset, informer, objects }),
      driverResourceController(context, entry, resource),
      ...(entry.ownControllers?.(context) ?? []),
    ],
    relatedObjects: async () => {
      const { group, plural } = clusterCSIDrivers;
      const related = await relatedObjectsOf(context.mapper, isHosted ? assets.guest : assets.fixed);
      return [...related, { group, resource: plural, name: entry.driverName }];
    },
  };
}

/** HyperShift asks which version runs beside its control plane. */
function versionControllers(
  context: StorageOperatorContext,
  { conditionPrefix, operatorName: deployment }: DriverOperatorEntry,
  informer: Informer<Deployment>,
): OperatorController[] {
  const { client, namespace } = context.operators;
  const { OPERATOR_IMAGE_VERSION: version } = context.env;
  if (!version) return [];
  // Not as the original calls it, which is the same for every driver: two of them would take each other's word back.
  const name = `${conditionPrefix}CSIDriverOperatorDeploymentVersionController`;
  return [deploymentVersionController({ ...context, client, informer }, { name, namespace, deployment, version })];
}
