import { stsHook } from "@stowage/operator";
import { volumeTagsRules } from "../../aws/index.ts";
import type { DriverProfile } from "../../driver-profile.ts";
import { efsAccessPointTagsController } from "./access-point-tags.ts";
import { awsEfsHooks } from "./hooks.ts";

const assetPrefix = "aws-efs-csi-driver";
const credentials = "aws-efs-cloud-credentials";

/**
 * Optional: file systems of EFS are made by the administrator, who also makes the StorageClass that names one. The operator asks for
 * credentials itself, since no payload does it for a driver that most clusters do not have.
 */
export const awsEfsProfile: DriverProfile = {
  id: "aws-efs",
  driverName: "efs.csi.aws.com",
  conditionPrefix: "AWSEFS",
  assetPrefix,
  operatorName: "aws-efs-csi-driver-operator",
  namespace: "openshift-cluster-csi-drivers",
  platform: "AWS",
  usualImage: "quay.io/openshift/origin-aws-efs-csi-driver:latest",
  assets: new URL("./generated/", import.meta.url),
  sidecars: ["Separate", "Combined"],
  isRemovable: true,
  controller: {
    secrets: [credentials, `${assetPrefix}-controller-metrics-serving-cert`],
    configMaps: [],
  },
  node: { secrets: ["node-aws-efs-cloud-credentials"], configMaps: [] },
  credentialsHooks: (env) => [stsHook(env)],
  ownHooks: awsEfsHooks,
  ownClusterRules: volumeTagsRules,
  ownParts: (context) => ({
    controllers: [
      efsAccessPointTagsController(context, { credentials, trustedCa: `${assetPrefix}-trusted-ca-bundle` }),
    ],
  }),
};
