import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import type { Logger } from "@stowage/machinery";
import type * as csi from "../generated/csi_pb.js";

/** What a driver's function is told beside the request. */
export interface CallContext {
  /** Aborted when the caller gives up or the server stops: then nobody waits for the answer. */
  readonly signal: AbortSignal;
  /** Knows the method and the volume; values of the request's secrets are taken out of whatever is logged through it. */
  readonly logger: Logger;
}

/** One RPC as a plain async function: the request decoded and validated, the answer as a plain object. */
export type Rpc<Request, ResponseSchema extends DescMessage> = (
  request: Request,
  context: CallContext,
) => Promise<MessageInitShape<ResponseSchema>>;

/** A driver's controller service. What is left out is not offered: the capabilities are derived from what is there. */
export interface ControllerService {
  createVolume?: Rpc<csi.CreateVolumeRequest, typeof csi.CreateVolumeResponseSchema>;
  deleteVolume?: Rpc<csi.DeleteVolumeRequest, typeof csi.DeleteVolumeResponseSchema>;
  controllerPublishVolume?: Rpc<csi.ControllerPublishVolumeRequest, typeof csi.ControllerPublishVolumeResponseSchema>;
  controllerUnpublishVolume?: Rpc<
    csi.ControllerUnpublishVolumeRequest,
    typeof csi.ControllerUnpublishVolumeResponseSchema
  >;
  validateVolumeCapabilities?: Rpc<
    csi.ValidateVolumeCapabilitiesRequest,
    typeof csi.ValidateVolumeCapabilitiesResponseSchema
  >;
  /** An unknown `startingToken` is answered with ABORTED. */
  listVolumes?: Rpc<csi.ListVolumesRequest, typeof csi.ListVolumesResponseSchema>;
  getCapacity?: Rpc<csi.GetCapacityRequest, typeof csi.GetCapacityResponseSchema>;
  createSnapshot?: Rpc<csi.CreateSnapshotRequest, typeof csi.CreateSnapshotResponseSchema>;
  deleteSnapshot?: Rpc<csi.DeleteSnapshotRequest, typeof csi.DeleteSnapshotResponseSchema>;
  listSnapshots?: Rpc<csi.ListSnapshotsRequest, typeof csi.ListSnapshotsResponseSchema>;
  getSnapshot?: Rpc<csi.GetSnapshotRequest, typeof csi.GetSnapshotResponseSchema>;
  controllerExpandVolume?: Rpc<csi.ControllerExpandVolumeRequest, typeof csi.ControllerExpandVolumeResponseSchema>;
  controllerGetVolume?: Rpc<csi.ControllerGetVolumeRequest, typeof csi.ControllerGetVolumeResponseSchema>;
  controllerModifyVolume?: Rpc<csi.ControllerModifyVolumeRequest, typeof csi.ControllerModifyVolumeResponseSchema>;
  /** Since 1.13: offered only where the gate is open. */
  controllerGetVolumeHealth?: Rpc<
    csi.ControllerGetVolumeHealthRequest,
    typeof csi.ControllerGetVolumeHealthResponseSchema
  >;
  /** Since 1.13: offered only where the gate is open. */
  controllerListVolumeHealth?: Rpc<
    csi.ControllerListVolumeHealthRequest,
    typeof csi.ControllerListVolumeHealthResponseSchema
  >;
}

export interface GroupControllerService {
  createVolumeGroupSnapshot: Rpc<
    csi.CreateVolumeGroupSnapshotRequest,
    typeof csi.CreateVolumeGroupSnapshotResponseSchema
  >;
  deleteVolumeGroupSnapshot: Rpc<
    csi.DeleteVolumeGroupSnapshotRequest,
    typeof csi.DeleteVolumeGroupSnapshotResponseSchema
  >;
  getVolumeGroupSnapshot: Rpc<csi.GetVolumeGroupSnapshotRequest, typeof csi.GetVolumeGroupSnapshotResponseSchema>;
}

export interface NodeService {
  nodeStageVolume?: Rpc<csi.NodeStageVolumeRequest, typeof csi.NodeStageVolumeResponseSchema>;
  nodeUnstageVolume?: Rpc<csi.NodeUnstageVolumeRequest, typeof csi.NodeUnstageVolumeResponseSchema>;
  nodePublishVolume: Rpc<csi.NodePublishVolumeRequest, typeof csi.NodePublishVolumeResponseSchema>;
  nodeUnpublishVolume: Rpc<csi.NodeUnpublishVolumeRequest, typeof csi.NodeUnpublishVolumeResponseSchema>;
  nodeGetVolumeStats?: Rpc<csi.NodeGetVolumeStatsRequest, typeof csi.NodeGetVolumeStatsResponseSchema>;
  nodeExpandVolume?: Rpc<csi.NodeExpandVolumeRequest, typeof csi.NodeExpandVolumeResponseSchema>;
  nodeGetInfo: Rpc<csi.NodeGetInfoRequest, typeof csi.NodeGetInfoResponseSchema>;
  /** Since 1.13: offered only where the gate is open. */
  nodeGetVolumeHealth?: Rpc<csi.NodeGetVolumeHealthRequest, typeof csi.NodeGetVolumeHealthResponseSchema>;
  /** Since 1.13: offered only where the gate is open. */
  nodeGetStorageHealth?: Rpc<csi.NodeGetStorageHealthRequest, typeof csi.NodeGetStorageHealthResponseSchema>;
}

/** What cannot be seen from the functions alone. */
export interface DriverTraits {
  /** Volumes are reachable from some nodes only: requests and answers carry topology. */
  readonly hasTopology?: boolean;
  /** Snapshots are usable from some places only. Since 1.13: offered only where the gate is open. */
  readonly hasSnapshotTopology?: boolean;
  /** `online`: while the volume is in use. */
  readonly expansion?: "online" | "offline";
  readonly supportsClones?: boolean;
  readonly supportsReadOnlyPublish?: boolean;
  readonly listsPublishedNodes?: boolean;
  /** Until 1.12: left out where the gate of 1.13 is open, which has no volume conditions any more. */
  readonly reportsVolumeCondition?: boolean;
  readonly supportsSingleNodeMultiWriter?: boolean;
  readonly supportsVolumeMountGroup?: boolean;
}

/** A CSI driver: a name, and the services that this process offers of it. */
export interface Driver {
  /** Domain-like, at most 63 characters, ending in a letter or digit. */
  readonly name: string;
  readonly vendorVersion: string;
  readonly manifest?: Readonly<Record<string, string>>;
  readonly traits?: DriverTraits;
  readonly controller?: ControllerService;
  readonly groupController?: GroupControllerService;
  readonly node?: NodeService;
  /** Ready to serve; ready when left out. */
  probe?(context: CallContext): Promise<boolean>;
}
