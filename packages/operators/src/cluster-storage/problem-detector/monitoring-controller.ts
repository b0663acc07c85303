import { configMaps, type Storage } from "@stowage/machinery";
import {
  type OperatorController,
  operatorController,
  type StatedCondition,
  staticResourcesController,
  watching,
} from "@stowage/operator";
import { storageOperatorNamespace } from "../names.ts";
import type { StorageOperatorContext } from "../storage-operator-context.ts";
import type { DetectorAssets } from "./detector-assets.ts";
import { areAlertsDisabled, detectorConfigName } from "./detector-config.ts";

// Renaming it leaves the old conditions behind.
const name = "VSphereProblemDetectorMonitoringController";
const driverName = "csi.vsphere.vmware.com";

/**
 * Has the detector's figures read, and alerts made of them, unless an administrator has turned them off or taken the driver away.
 * Nothing is done where the cluster has no such monitoring. Watches: the Storage, the driver's ClusterCSIDriver, ConfigMap
 * `vsphere-problem-detector`. Owns: ServiceMonitor and PrometheusRule `vsphere-problem-detector`. Writes conditions:
 * `VSphereProblemDetectorMonitoringController{Available,Degraded}`. Deletes: the PrometheusRule, when alerts are not wanted.
 */
export function monitoringControllers(
  context: StorageOperatorContext,
  { monitoring }: Pick<DetectorAssets, "monitoring">,
): OperatorController[] {
  const { informers, driverResources, operator: client } = context;
  const place = { namespace: storageOperatorNamespace, name: detectorConfigName };
  const selection = { namespace: place.namespace, fieldSelector: `metadata.name=${place.name}` };
  const config = informers.informer(configMaps, selection);
  const watches = [
    watching(config),
    watching(driverResources, { matches: ({ metadata }) => metadata.name === driverName }),
  ];
  const areWanted = () => {
    const { managementState } = driverResources.objects.get({ name: driverName })?.spec ?? {};
    return managementState !== "Removed" && !areAlertsDisabled(config.objects.get(place));
  };
  return [
    staticResourcesController<Storage>(context, {
      name,
      watches,
      resources() {
        const shouldAlert = areWanted();
        return monitoring.map(({ asset, object }) => {
          const isWanted = object.kind !== "PrometheusRule" || shouldAlert;
          return { asset, object, optional: true, shouldCreate: () => isWanted };
        });
      },
    }),
    operatorController<Storage>(context, {
      name: `${name}Report`,
      watches,
      // Whoever keeps the objects says what is wrong with the configuration.
      reportsDegraded: false,
      sync: ({ signal }) => client.applyStatus(name, { conditions: [desiredMonitoringCondition(areWanted())] }, signal),
    }),
  ];
}

/** For those who wonder why there are no alerts: storage is well either way. */
export function desiredMonitoringCondition(areWanted: boolean): StatedCondition {
  const message = `vsphere-problem-detector alerts are ${areWanted ? "enabled" : "disabled"}`;
  return { type: `${name}Available`, status: "True", reason: "AsExpected", message };
}
