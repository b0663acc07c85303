import { type ControllerExpandVolumeRequest, type ControllerModifyVolumeRequest, CsiError } from "@stowage/csi";
import { accessTypeOf } from "../backend/capability.ts";
import { chooseSize } from "../backend/capacity.ts";
import { requireVolume } from "../backend/lookup.ts";
import type { MockVolume } from "../backend/volume.ts";
import type { MockDeps } from "../deps.ts";
import { checkMutableParameters } from "./parameters.ts";

/** What is in use stays. */
export function deleteVolume({ backend }: MockDeps, volumeId: string): void {
  const [node] = Object.keys(backend.volumes.get(volumeId)?.attachments ?? {});
  if (node !== undefined)
    throw new CsiError("FAILED_PRECONDITION", `${volumeId} is in use: it is published to the node ${node}`);
  backend.volumes.remove(volumeId);
}

export function expandVolume({ settings, backend }: MockDeps, request: ControllerExpandVolumeRequest): MockVolume {
  const volume = requireVolume(backend, request.volumeId);
  if (request.volumeCapability !== undefined) checkAccessType(volume, accessTypeOf(request.volumeCapability));
  const wishedBytes = chooseSize(request.capacityRange, { minimumBytes: 0n, maximumBytes: settings.maxVolumeBytes });
  const limitBytes = request.capacityRange?.limitBytes ?? 0n;
  if (limitBytes !== 0n && volume.capacityBytes > limitBytes)
    throw new CsiError("OUT_OF_RANGE", `${volume.id} has more than ${limitBytes} bytes already`);
  if (wishedBytes <= volume.capacityBytes) return volume;
  if (settings.expansion === "offline" && Object.keys(volume.attachments).length > 0)
    throw new CsiError("FAILED_PRECONDITION", `${volume.id} is in use and cannot be expanded before it is not`);
  if (backend.usedBytes() - volume.capacityBytes + wishedBytes > settings.capacityBytes)
    throw new CsiError("OUT_OF_RANGE", `the storage has no ${wishedBytes} bytes for ${volume.id}`);
  return backend.volumes.put({ ...volume, capacityBytes: wishedBytes });
}

export function modifyVolume({ settings, backend }: MockDeps, request: ControllerModifyVolumeRequest): void {
  const volume = requireVolume(backend, request.volumeId);
  checkMutableParameters(settings, request.mutableParameters);
  const mutableParameters = { ...volume.mutableParameters, ...request.mutableParameters };
  backend.volumes.put({ ...volume, mutableParameters });
}

function checkAccessType(volume: MockVolume, type: MockVolume["accessTypes"][number]): void {
  if (volume.accessTypes.includes(type)) return;
  throw new CsiError("INVALID_ARGUMENT", `${volume.id} is a ${volume.accessTypes.join(" and ")} volume, not ${type}`);
}
