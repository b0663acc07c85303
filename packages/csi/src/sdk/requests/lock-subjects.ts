import type { DescService } from "@bufbuild/protobuf";
import type * as csi from "../../generated/csi_pb.js";
import type { MethodName, RequestOf } from "./service-methods.ts";

/** Which subject a request needs for itself. */
export type LockSubject<Request> = (request: Request) => string;

type ServiceLocks<Service extends DescService> = {
  readonly [Name in MethodName<Service>]?: LockSubject<RequestOf<Service, Name>>;
};

const volume = (request: { readonly volumeId: string }) => `volume ${request.volumeId}`;
const snapshot = (request: { readonly snapshotId: string }) => `snapshot ${request.snapshotId}`;
const groupSnapshot = (request: { readonly groupSnapshotId: string }) => `group snapshot ${request.groupSnapshotId}`;

/** Methods that only read are left out. What is not there yet is locked by the name it is to get. */
export const controllerLocks: ServiceLocks<typeof csi.Controller> = {
  createVolume: (request) => `volume name ${request.name}`,
  deleteVolume: volume,
  controllerPublishVolume: volume,
  controllerUnpublishVolume: volume,
  controllerExpandVolume: volume,
  controllerModifyVolume: volume,
  createSnapshot: (request) => `snapshot name ${request.name}`,
  deleteSnapshot: snapshot,
};

export const groupControllerLocks: ServiceLocks<typeof csi.GroupController> = {
  createVolumeGroupSnapshot: (request) => `group snapshot name ${request.name}`,
  deleteVolumeGroupSnapshot: groupSnapshot,
};

/** By volume rather than by path: staging and the publishing at any target work on the same device. */
export const nodeLocks: ServiceLocks<typeof csi.Node> = {
  nodeStageVolume: volume,
  nodeUnstageVolume: volume,
  nodePublishVolume: volume,
  nodeUnpublishVolume: volume,
  nodeExpandVolume: volume,
};
