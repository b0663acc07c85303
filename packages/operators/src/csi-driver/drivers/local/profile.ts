import { localCSIDriver } from "@stowage/machinery";
import { logVerbosity } from "@stowage/operator";
import type { DriverProfile } from "../../driver-profile.ts";

const assetPrefix = "stowage-local-csi-driver";

/**
 * Volumes are on the disk of each node, so whoever makes them runs there too: there is a DaemonSet and no Deployment. The sidecars are
 * always all in one, since the original resizer cannot be told to deal with one node's volumes alone.
 */
export const localProfile: DriverProfile = {
  id: "local",
  driverName: localCSIDriver,
  conditionPrefix: "Local",
  assetPrefix,
  operatorName: "stowage-local-csi-driver-operator",
  namespace: "openshift-cluster-csi-drivers",
  platform: "External",
  usualImage: "stowage:latest",
  assets: new URL("./generated/", import.meta.url),
  sidecars: ["Combined"],
  isRemovable: true,
  controller: { secrets: [], configMaps: [] },
  node: { secrets: [`${assetPrefix}-node-metrics-serving-cert`], configMaps: [] },
  ownHooks: () => ({
    // The driver's log knows words, where those of the sidecars know numbers.
    placeholders: (_facts, { spec }) => ({ DRIVER_LOG_LEVEL: logVerbosity(spec.logLevel) >= 4 ? "debug" : "info" }),
  }),
};
