import { wifHook } from "@stowage/operator";
import type { DriverProfile } from "../../driver-profile.ts";
import { withGcpLabels, withGcpTags } from "../../hooks/index.ts";

const assetPrefix = "gcp-filestore-csi-driver";

/**
 * Optional: an instance of Filestore costs money from its first minute, so nobody gets a class unasked, and which network it is to be in
 * only the administrator knows. The operator asks for credentials itself, since no payload does it for an optional driver.
 */
export const gcpFilestoreProfile: DriverProfile = {
  id: "gcp-filestore",
  driverName: "filestore.csi.storage.gke.io",
  conditionPrefix: "GCPFilestore",
  assetPrefix,
  operatorName: "gcp-filestore-csi-driver-operator",
  namespace: "openshift-cluster-csi-drivers",
  platform: "GCP",
  usualImage: "quay.io/openshift/origin-gcp-filestore-csi-driver:latest",
  assets: new URL("./generated/", import.meta.url),
  sidecars: ["Separate", "Combined"],
  isRemovable: true,
  controller: {
    secrets: ["gcp-filestore-cloud-credentials", `${assetPrefix}-controller-metrics-serving-cert`],
    configMaps: [],
  },
  node: { secrets: [], configMaps: [] },
  credentialsHooks: (env) => [wifHook(env)],
  // In the order of the originals: hooks are told by their index.
  ownHooks: (sources) => ({ controllerHooks: [withGcpLabels(sources), withGcpTags(sources, "--resource-tags")] }),
};
