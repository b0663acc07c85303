import {
  azureCloudConfig,
  azureHosted,
  cloudConfigController,
  cloudConfigRules,
  injectorImages,
} from "../../azure/index.ts";
import type { DriverProfile } from "../../driver-profile.ts";
import { azureDiskHooks } from "./hooks.ts";

const assetPrefix = "azure-disk-csi-driver";
const namespace = "openshift-cluster-csi-drivers";
/** Made for the driver's CredentialsRequest. */
const credentials = "azure-disk-credentials";

export const azureDiskProfile: DriverProfile = {
  id: "azure-disk",
  driverName: "disk.csi.azure.com",
  conditionPrefix: "AzureDisk",
  assetPrefix,
  operatorName: "azure-disk-csi-driver-operator",
  namespace,
  platform: "Azure",
  usualImage: "quay.io/openshift/origin-azure-disk-csi-driver:latest",
  ownImages: injectorImages,
  assets: new URL("./generated/", import.meta.url),
  sidecars: ["Separate", "Combined"],
  isRemovable: false,
  controller: {
    secrets: [credentials, `${assetPrefix}-controller-metrics-serving-cert`],
    configMaps: [azureCloudConfig],
  },
  node: { secrets: [credentials, `${assetPrefix}-node-metrics-serving-cert`], configMaps: [azureCloudConfig] },
  ownHooks: azureDiskHooks,
  hosted: azureHosted({
    id: "azure-disk",
    assetPrefix,
    namespace,
    classVariable: "ARO_HCP_SECRET_PROVIDER_CLASS_FOR_DISK",
  }),
  ownRules: cloudConfigRules,
  ownParts: (context) => ({ controllers: [cloudConfigController(context)] }),
};
