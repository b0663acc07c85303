import type { DriverProfile } from "../../driver-profile.ts";
import { ibmVpcBlockHooks } from "./hooks.ts";
import { cloudCredentials, driverCredentials, secretSyncController, secretSyncRules } from "./secret-sync/index.ts";

/** So that Deployment and DaemonSet have the names that clusters know, `ibm-vpc-block-csi-controller` and `ibm-vpc-block-csi-node`. */
const assetPrefix = "ibm-vpc-block-csi";

export const ibmVpcBlockProfile: DriverProfile = {
  id: "ibm-vpc-block",
  driverName: "vpc.block.csi.ibm.io",
  conditionPrefix: "IBMVPCBlock",
  assetPrefix,
  operatorName: "ibm-vpc-block-csi-driver-operator",
  namespace: "openshift-cluster-csi-drivers",
  platform: "IBMCloud",
  usualImage: "quay.io/openshift/origin-ibm-vpc-block-csi-driver:latest",
  assets: new URL("./generated/", import.meta.url),
  sidecars: ["Separate", "Combined"],
  isRemovable: false,
  controller: { secrets: [driverCredentials, `${assetPrefix}-controller-metrics-serving-cert`], configMaps: [] },
  node: { secrets: [driverCredentials, `${assetPrefix}-node-metrics-serving-cert`], configMaps: [] },
  readsSecrets: [cloudCredentials],
  ownHooks: ibmVpcBlockHooks,
  ownRules: secretSyncRules,
  ownParts: (context) => ({ controllers: [secretSyncController(context)] }),
};
