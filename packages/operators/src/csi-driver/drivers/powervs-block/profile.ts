import { watching } from "@stowage/operator";
import type { DriverProfile } from "../../driver-profile.ts";
import { powervsBlockHooks } from "./hooks.ts";
import { NODE_UPDATER, powervsHostedHook } from "./hosted.ts";

const assetPrefix = "ibm-powervs-block-csi-driver";
const namespace = "openshift-cluster-csi-drivers";
/** Made for the driver's CredentialsRequest. The original watches another name by mistake, and misses new keys. */
const credentials = "ibm-powervs-cloud-credentials";

export const powervsBlockProfile: DriverProfile = {
  id: "powervs-block",
  driverName: "powervs.csi.ibm.com",
  conditionPrefix: "PowerVSBlock",
  assetPrefix,
  operatorName: "powervs-block-csi-driver-operator",
  namespace,
  platform: "PowerVS",
  usualImage: "quay.io/openshift/origin-ibm-powervs-block-csi-driver:latest",
  assets: new URL("./generated/", import.meta.url),
  sidecars: ["Separate", "Combined"],
  isRemovable: false,
  controller: { secrets: [credentials, `${assetPrefix}-controller-metrics-serving-cert`], configMaps: [] },
  node: { secrets: [credentials], configMaps: [] },
  hosted: {
    guestContainers: [NODE_UPDATER],
    // The credentials are in a Secret that the control plane names: see `hosted.ts`.
    controller: { secrets: [`${assetPrefix}-controller-metrics-serving-cert`], configMaps: [] },
    hooks: (sources) => [powervsHostedHook(sources, { namespace, serviceAccount: `${assetPrefix}-controller-sa` })],
  },
  ownHooks: powervsBlockHooks,
  ownParts: ({ controllerSide: hosted }) => (hosted === undefined ? {} : { watches: [watching(hosted.secrets)] }),
};
