import type { DriverProfile } from "../../driver-profile.ts";
import { vsphereHooks } from "./vsphere-hooks.ts";
import { vsphereClusterRules, vsphereParts, vsphereRules } from "./vsphere-parts.ts";

const assetPrefix = "vmware-vsphere-csi-driver";
/** Written by the operator itself: see `config/`. */
const config = "vsphere-csi-config-secret";
/** By vCenter: `<server>.username` and `<server>.password`, made for the driver's CredentialsRequest. */
const credentials = "vmware-vsphere-cloud-credentials";

/**
 * Sidecars are separate: whether volumes follow zones is the provisioner's to be told here, and the one process of all sidecars takes
 * the driver's own word for it.
 */
export const vmwareVsphereProfile: DriverProfile = {
  id: "vmware-vsphere",
  driverName: "csi.vsphere.vmware.com",
  conditionPrefix: "VMwareVSphere",
  assetPrefix,
  operatorName: "vmware-vsphere-csi-driver-operator",
  namespace: "openshift-cluster-csi-drivers",
  platform: "VSphere",
  usualImage: "quay.io/openshift/origin-vsphere-csi-driver:latest",
  ownImages: { VMWARE_VSPHERE_SYNCER_IMAGE: "quay.io/openshift/origin-vsphere-csi-driver-syncer:latest" },
  assets: new URL("./generated/", import.meta.url),
  sidecars: ["Separate"],
  // Clusters without a way to vCenter have no use for it.
  isRemovable: true,
  controller: { secrets: [config, `${assetPrefix}-controller-metrics-serving-cert`], configMaps: [] },
  // For its zones: a node says where it is when it registers.
  node: { secrets: [config], configMaps: [] },
  readsSecrets: [credentials],
  readsFeatureGates: true,
  companions: [
    {
      kind: "Deployment",
      asset: "companion-webhook.yaml",
      controllerName: "VMwareVSphereDriverWebhookController",
      restartsFor: { secrets: [`${assetPrefix}-webhook-secret`], configMaps: [] },
    },
  ],
  staleConditions: ["VMwareVSphereControllerAvailable"],
  ownHooks: vsphereHooks,
  ownRules: vsphereRules,
  ownClusterRules: vsphereClusterRules,
  ownParts: vsphereParts,
};
