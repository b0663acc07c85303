import type { DriverProfile } from "../../driver-profile.ts";
import { gcpPdHooks } from "./hooks.ts";

const assetPrefix = "gcp-pd-csi-driver";

/** Its hooks need nothing of the cluster but the Infrastructure; credentials come with the payload's CredentialsRequest. */
export const gcpPdProfile: DriverProfile = {
  id: "gcp-pd",
  driverName: "pd.csi.storage.gke.io",
  conditionPrefix: "GCPPD",
  assetPrefix,
  operatorName: "gcp-pd-csi-driver-operator",
  namespace: "openshift-cluster-csi-drivers",
  platform: "GCP",
  usualImage: "quay.io/openshift/origin-gcp-pd-csi-driver:latest",
  assets: new URL("./generated/", import.meta.url),
  sidecars: ["Separate", "Combined"],
  isRemovable: false,
  controller: {
    secrets: ["gcp-pd-cloud-credentials", `${assetPrefix}-controller-metrics-serving-cert`],
    configMaps: [],
  },
  node: { secrets: [], configMaps: [] },
  // Of the originals' own controller for what is in leftover-*.yaml.
  staleConditions: ["GCPPDOldControllerPrivilegedBindingRemovalDegraded"],
  ownHooks: gcpPdHooks,
};
