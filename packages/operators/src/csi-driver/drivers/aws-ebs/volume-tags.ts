import type { OperatorController } from "@stowage/operator";
import { tagVolumes } from "../../../aws/index.ts";
import { volumeTagsController } from "../../aws/index.ts";
import type { DriverOperatorContext, HostedSide } from "../../driver-context.ts";
import { caKey } from "./ca-sync/index.ts";
import { hostedCaName } from "./hooks.ts";

const HOUR_MS = 60 * 60_000;

/** For hosted clusters alone, as the original: the tags of others are chosen when they are installed. */
export function ebsVolumeTagsController(
  context: DriverOperatorContext,
  { namespace, configMaps }: HostedSide,
  credentials: string,
): OperatorController {
  return volumeTagsController(context, {
    name: "AWSEBSEBSVolumeTagsController",
    failureReason: "EBSVolumeTagsUpdateFailed",
    driverName: "ebs.csi.aws.com",
    annotation: "ebs.openshift.io/volume-tags-hash",
    batchSize: 50,
    longestWaitMs: 36 * HOUR_MS,
    credentials,
    sessionName: "aws-ebs-csi-driver-operator",
    tagResources: tagVolumes,
    idOf: (volumeHandle) => volumeHandle,
    isWanted: () => true,
    authority: () => configMaps.objects.get({ namespace, name: hostedCaName })?.data?.[caKey],
  });
}
