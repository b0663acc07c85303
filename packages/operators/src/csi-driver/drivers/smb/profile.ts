import type { DriverProfile } from "../../driver-profile.ts";

const assetPrefix = "smb-csi-driver";

/** Optional: for any cluster whose administrator has a server and makes the ClusterCSIDriver. Which one, classes say. */
export const smbProfile: DriverProfile = {
  id: "smb",
  driverName: "smb.csi.k8s.io",
  conditionPrefix: "Samba",
  assetPrefix,
  operatorName: "smb-csi-driver-operator",
  namespace: "openshift-cluster-csi-drivers",
  platform: "None",
  usualImage: "quay.io/openshift/origin-csi-driver-smb:latest",
  assets: new URL("./generated/", import.meta.url),
  sidecars: ["Separate", "Combined"],
  isRemovable: true,
  controller: { secrets: [`${assetPrefix}-controller-metrics-serving-cert`], configMaps: [] },
  node: { secrets: [], configMaps: [] },
};
