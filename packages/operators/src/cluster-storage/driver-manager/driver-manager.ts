import { clusterCSIDrivers, deployments, type RelatedObject } from "@stowage/machinery";
import { type OperatorController, relatedObjectsOf, servingRequestsOf } from "@stowage/operator";
import { type DriverOperatorEntry, driverOperatorAssets } from "../driver-operators/index.ts";
import { driversNamespace } from "../names.ts";
import { driverOperatorCertificates } from "../serving-certificates.ts";
import type { StorageOperatorContext } from "../storage-operator-context.ts";
import { driverResourceController } from "./driver-resource-controller.ts";
import { operatorDeployment } from "./operator-deployment.ts";
import { operatorObjects } from "./operator-objects.ts";

/** Everything that keeps one driver's operator. Made when the driver is started: until then nothing of it is watched. */
export interface DriverManager {
  readonly controllers: readonly OperatorController[];
  /** For the ClusterOperator. */
  relatedObjects(): Promise<RelatedObject[]>;
}

export function createDriverManager(context: StorageOperatorContext, entry: DriverOperatorEntry): DriverManager {
  const assets = driverOperatorAssets(entry);
  const informer = context.informers.informer(deployments, { namespace: driversNamespace });
  const { deployment: asset, resource } = assets;
  const objects = operatorObjects(context, entry, assets);
  const requests = servingRequestsOf(assets.fixed.map(({ object }) => object));
  return {
    controllers: [
      objects,
      driverOperatorCertificates(context, { conditionPrefix: entry.conditionPrefix, requests }),
      operatorDeployment(context, entry, { asset, informer, objects }),
      driverResourceController(context, entry, resource),
      ...(entry.ownControllers?.(context) ?? []),
    ],
    relatedObjects: async () => {
      const { group, plural } = clusterCSIDrivers;
      const fixed = await relatedObjectsOf(context.mapper, assets.fixed);
      return [...fixed, { group, resource: plural, name: entry.driverName }];
    },
  };
}
