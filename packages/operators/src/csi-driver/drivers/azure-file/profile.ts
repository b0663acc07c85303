import {
  azureCloudConfig,
  azureHosted,
  cloudConfigController,
  cloudConfigRules,
  injectorImages,
} from "../../azure/index.ts";
import type { DriverProfile } from "../../driver-profile.ts";

const assetPrefix = "azure-file-csi-driver";
const namespace = "openshift-cluster-csi-drivers";
/** Made for the driver's CredentialsRequest. */
const credentials = "azure-file-credentials";

/** Azure Stack Hub has no such service: there the storage operator starts this driver only where somebody has asked for it. */
export const azureFileProfile: DriverProfile = {
  id: "azure-file",
  driverName: "file.csi.azure.com",
  conditionPrefix: "AzureFile",
  assetPrefix,
  operatorName: "azure-file-csi-driver-operator",
  namespace,
  platform: "Azure",
  usualImage: "quay.io/openshift/origin-azure-file-csi-driver:latest",
  ownImages: injectorImages,
  assets: new URL("./generated/", import.meta.url),
  sidecars: ["Separate", "Combined"],
  isRemovable: false,
  controller: {
    secrets: [credentials, `${assetPrefix}-controller-metrics-serving-cert`],
    configMaps: [azureCloudConfig],
  },
  node: { secrets: [credentials], configMaps: [azureCloudConfig] },
  hosted: azureHosted({
    id: "azure-file",
    assetPrefix,
    namespace,
    classVariable: "ARO_HCP_SECRET_PROVIDER_CLASS_FOR_FILE",
    // It keeps the keys of storage accounts in the guest's Secrets.
    guestContainers: ["csi-driver"],
  }),
  ownRules: cloudConfigRules,
  ownParts: (context) => ({ controllers: [cloudConfigController(context)] }),
};
