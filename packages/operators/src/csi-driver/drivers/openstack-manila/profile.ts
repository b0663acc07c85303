import type { DriverProfile } from "../../driver-profile.ts";
import { withHostedAuthority } from "./hosted.ts";
import { hostedCloudConfigName, manilaParts, manilaRules, shareClassRules } from "./share-types/index.ts";

/** Of accounts and rights. The workloads have been called otherwise from the start: see `patches/`. */
const assetPrefix = "manila-csi-driver";
/** With `clouds.yaml`, made for the driver's CredentialsRequest. */
const credentials = "manila-cloud-credentials";
/** The cloud's authority: a copy of the one in `openshift-config`. */
const cloudConfig = "cloud-provider-config";

export const openstackManilaProfile: DriverProfile = {
  id: "openstack-manila",
  driverName: "manila.csi.openstack.org",
  conditionPrefix: "OpenStackManila",
  assetPrefix,
  operatorName: "manila-csi-driver-operator",
  // Its own, as it was before there was one for all drivers: volumes refer to a Secret in it.
  namespace: "openshift-manila-csi-driver",
  platform: "OpenStack",
  usualImage: "quay.io/openshift/origin-csi-driver-manila:latest",
  ownImages: { NFS_DRIVER_IMAGE: "quay.io/openshift/origin-csi-driver-nfs:latest" },
  assets: new URL("./generated/", import.meta.url),
  sidecars: ["Separate", "Combined"],
  isRemovable: false,
  controller: {
    secrets: [credentials, `${assetPrefix}-controller-metrics-serving-cert`],
    configMaps: [cloudConfig],
  },
  node: { secrets: [credentials], configMaps: [cloudConfig] },
  companions: [
    {
      kind: "DaemonSet",
      asset: "companion-nfs.yaml",
      controllerName: "NFSDriverNodeServiceController",
      restartsFor: { secrets: [], configMaps: [] },
    },
  ],
  hosted: {
    controller: {
      secrets: [credentials, `${assetPrefix}-controller-metrics-serving-cert`],
      configMaps: [hostedCloudConfigName],
    },
    hooks: () => [withHostedAuthority()],
  },
  staleConditions: ["ManilaDriverConditionalStaticResourcesControllerDegraded"],
  ownRules: manilaRules,
  ownClusterRules: shareClassRules,
  ownParts: manilaParts,
};
