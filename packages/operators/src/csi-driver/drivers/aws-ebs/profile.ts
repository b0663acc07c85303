import { withTokenMinter } from "@stowage/operator";
import { volumeTagsRules } from "../../aws/index.ts";
import type { DriverProfile } from "../../driver-profile.ts";
import { cloudConfigName, resourceSyncController, resourceSyncRules } from "./ca-sync/index.ts";
import { awsEbsHooks, hostedCaName } from "./hooks.ts";
import { ebsVolumeTagsController } from "./volume-tags.ts";

const assetPrefix = "aws-ebs-csi-driver";
const namespace = "openshift-cluster-csi-drivers";
/** With keys, or with the role that the driver's token is good for; made for its CredentialsRequest. */
const credentials = "ebs-cloud-credentials";

export const awsEbsProfile: DriverProfile = {
  id: "aws-ebs",
  driverName: "ebs.csi.aws.com",
  conditionPrefix: "AWSEBS",
  assetPrefix,
  operatorName: "aws-ebs-csi-driver-operator",
  namespace,
  platform: "AWS",
  usualImage: "quay.io/openshift/origin-aws-ebs-csi-driver:latest",
  assets: new URL("./generated/", import.meta.url),
  sidecars: ["Separate", "Combined"],
  isRemovable: false,
  controller: {
    secrets: [credentials, `${assetPrefix}-controller-metrics-serving-cert`],
    // By either name, and never by both.
    configMaps: [cloudConfigName, hostedCaName],
  },
  node: { secrets: [], configMaps: [] },
  staleConditions: ["AWSEBSDriverConditionalStaticResourcesControllerDegraded"],
  readsFeatureGates: true,
  ownHooks: awsEbsHooks,
  ownRules: resourceSyncRules,
  hosted: {
    hooks: ({ env: { HYPERSHIFT_IMAGE: image } }) => [
      withTokenMinter({ image, namespace, serviceAccount: `${assetPrefix}-controller-sa` }),
    ],
    guestRules: volumeTagsRules,
  },
  ownParts: (context) =>
    context.controllerSide === undefined
      ? { controllers: [resourceSyncController(context)] }
      : // HyperShift brings the authority to the control plane by itself.
        { followers: [ebsVolumeTagsController(context, context.controllerSide, credentials)] },
};
