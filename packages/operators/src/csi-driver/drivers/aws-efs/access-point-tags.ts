import type { OperatorController } from "@stowage/operator";
import { tagAccessPoints } from "../../../aws/index.ts";
import { accessPointOf, volumeTagsController } from "../../aws/index.ts";
import type { DriverOperatorContext } from "../../driver-context.ts";

const HOUR_MS = 60 * 60_000;

/** For hosted clusters alone, as the original. There the operator is in the guest, as everywhere. */
export function efsAccessPointTagsController(
  context: DriverOperatorContext,
  { credentials, trustedCa }: { readonly credentials: string; readonly trustedCa: string },
): OperatorController {
  const { namespace, configMaps } = context;
  return volumeTagsController(context, {
    name: "AWSEFSEFSAccessPointTagsController",
    failureReason: "EFSAccessPointTagsUpdateFailed",
    driverName: "efs.csi.aws.com",
    annotation: "efs.openshift.io/access-point-tags-hash",
    batchSize: 1,
    longestWaitMs: 100 * HOUR_MS,
    credentials,
    sessionName: "aws-efs-csi-driver-operator",
    tagResources: tagAccessPoints,
    idOf: accessPointOf,
    isWanted: ({ isHosted }) => isHosted,
    authority: () => configMaps.objects.get({ namespace, name: trustedCa })?.data?.["ca-bundle.crt"],
  });
}
