import type { DriverProfile } from "../../driver-profile.ts";
import { configSyncController, configSyncRules } from "./config-sync/index.ts";

const assetPrefix = "openstack-cinder-csi-driver";
const namespace = "openshift-cluster-csi-drivers";
/** With `clouds.yaml`, made for the driver's CredentialsRequest. */
const credentials = "openstack-cloud-credentials";
/** Written by the operator itself: see `config-sync/`. */
const config = "cloud-conf";

export const openstackCinderProfile: DriverProfile = {
  id: "openstack-cinder",
  driverName: "cinder.csi.openstack.org",
  conditionPrefix: "OpenStackCinder",
  assetPrefix,
  operatorName: "openstack-cinder-csi-driver-operator",
  namespace,
  platform: "OpenStack",
  usualImage: "quay.io/openshift/origin-openstack-cinder-csi-driver:latest",
  assets: new URL("./generated/", import.meta.url),
  sidecars: ["Separate", "Combined"],
  isRemovable: false,
  controller: { secrets: [credentials, `${assetPrefix}-controller-metrics-serving-cert`], configMaps: [config] },
  node: { secrets: [credentials], configMaps: [config] },
  // Its configuration is kept there, too.
  hosted: { rules: configSyncRules[namespace] },
  staleConditions: ["OpenStackCinderDriverConditionalStaticResourcesControllerDegraded"],
  ownRules: configSyncRules,
  ownParts: (context) => ({ controllers: [configSyncController(context)] }),
};
