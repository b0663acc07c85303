import type { DescMessage, DescService, Message } from "@bufbuild/protobuf";
import type * as csi from "../../generated/csi_pb.js";
import { oneAccessType, volumeCapabilities, volumeCapability } from "./capability-checks.ts";
import { capacityRange, notNegative } from "./number-checks.ts";
import type { MethodName, RequestOf } from "./service-methods.ts";
import { contentSource, topologyRequirement } from "./source-checks.ts";
import { absolutePath, anyPath, identifier, identifiers, required, suggestedName } from "./text-checks.ts";
import type { FieldCheck, Violation } from "./violation.ts";

/** The checks of a request, by field, in the order in which they are made. */
export type FieldChecks<Request> = { readonly [Field in keyof Request]?: readonly FieldCheck<Request[Field]>[] };

type ServiceChecks<Service extends DescService> = {
  readonly [Name in MethodName<Service>]?: FieldChecks<RequestOf<Service, Name>>;
};

const name = [required("send a name that stays the same on every retry"), suggestedName];
const volumeId = [required("send the ID that CreateVolume answered"), identifier];
const snapshotId = [required("send the ID that CreateSnapshot answered"), identifier];
const groupSnapshotId = [required("send the ID that CreateVolumeGroupSnapshot answered"), identifier];
const capability = [required("say how the volume is to be used"), volumeCapability];
const capabilities = [required("say how the volume is to be used, at least in one way"), volumeCapabilities];
const targetPath = [required("send the path to publish the volume at"), absolutePath];
const stagingPath = [required("send the path to stage the volume at"), absolutePath];
const volumePath = [required("send the path at which the volume is published or staged"), anyPath];

/**
 * What every driver may rely on. What only a driver can judge is left to it: tokens of lists (ABORTED), unknown IDs
 * (NOT_FOUND), sizes it cannot make (OUT_OF_RANGE), keys of mutable parameters (INVALID_ARGUMENT).
 */
export const controllerChecks: ServiceChecks<typeof csi.Controller> = {
  createVolume: {
    name,
    volumeCapabilities: [...capabilities, oneAccessType],
    capacityRange: [capacityRange],
    volumeContentSource: [contentSource],
    accessibilityRequirements: [topologyRequirement],
  },
  deleteVolume: { volumeId },
  controllerPublishVolume: {
    volumeId,
    nodeId: [required("send the node_id that NodeGetInfo answered"), identifier],
    volumeCapability: capability,
  },
  controllerUnpublishVolume: { volumeId, nodeId: [identifier] },
  validateVolumeCapabilities: { volumeId, volumeCapabilities: capabilities },
  listVolumes: { maxEntries: [notNegative] },
  getCapacity: { volumeCapabilities: [volumeCapabilities] },
  createSnapshot: {
    name,
    sourceVolumeId: [required("send the ID of the volume to take the snapshot of"), identifier],
    accessibilityRequirements: [topologyRequirement],
  },
  deleteSnapshot: { snapshotId },
  listSnapshots: { maxEntries: [notNegative], sourceVolumeId: [identifier], snapshotId: [identifier] },
  getSnapshot: { snapshotId },
  controllerExpandVolume: {
    volumeId,
    capacityRange: [required("send the size that the volume is to have"), capacityRange],
    volumeCapability: [volumeCapability],
  },
  controllerGetVolume: { volumeId },
  controllerModifyVolume: { volumeId },
  controllerGetVolumeHealth: { volumeId },
  controllerListVolumeHealth: { maxEntries: [notNegative] },
};

export const groupControllerChecks: ServiceChecks<typeof csi.GroupController> = {
  createVolumeGroupSnapshot: {
    name,
    sourceVolumeIds: [required("send the IDs of the volumes to take snapshots of"), identifiers],
  },
  // The snapshots' IDs are required by the specification, but left out by callers that never learnt them.
  deleteVolumeGroupSnapshot: { groupSnapshotId, snapshotIds: [identifiers] },
  getVolumeGroupSnapshot: { groupSnapshotId, snapshotIds: [identifiers] },
};

export const nodeChecks: ServiceChecks<typeof csi.Node> = {
  nodeStageVolume: { volumeId, stagingTargetPath: stagingPath, volumeCapability: capability },
  nodeUnstageVolume: { volumeId, stagingTargetPath: stagingPath },
  // A staging path is not required even of drivers that stage: inline ephemeral volumes are published without.
  nodePublishVolume: { volumeId, targetPath, volumeCapability: capability, stagingTargetPath: [absolutePath] },
  nodeUnpublishVolume: { volumeId, targetPath },
  nodeGetVolumeStats: { volumeId, volumePath, stagingTargetPath: [absolutePath] },
  nodeExpandVolume: {
    volumeId,
    volumePath,
    capacityRange: [capacityRange],
    stagingTargetPath: [absolutePath],
    volumeCapability: [volumeCapability],
  },
  nodeGetVolumeHealth: { volumeId, volumePublishPath: [absolutePath], stagingTargetPath: [absolutePath] },
};

export interface FieldViolation extends Violation {
  /** As the specification spells it: `volume_id`. */
  readonly field: string;
}

/** The first thing that is wrong with a request. */
export function findViolation<Request extends Message>(
  schema: DescMessage,
  checks: FieldChecks<Request>,
  request: Request,
): FieldViolation | undefined {
  for (const key of Object.keys(checks) as (keyof Request & string)[]) {
    for (const check of checks[key] ?? []) {
      const violation = check(request[key]);
      if (violation) return { ...violation, field: schema.field[key]?.name ?? key };
    }
  }
  return undefined;
}
