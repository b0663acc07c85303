import type { ControllerService, ValidateVolumeCapabilitiesRequest } from "@stowage/csi";
import { accessTypeOf } from "../backend/capability.ts";
import { requireSnapshot, requireVolume } from "../backend/lookup.ts";
import { pageOf } from "../backend/page.ts";
import type { MockVolume } from "../backend/volume.ts";
import type { MockDeps } from "../deps.ts";
import { isSameMap } from "./parameters.ts";
import { snapshotMessage } from "./snapshot-message.ts";
import { listSnapshots } from "./snapshots.ts";
import { healthMessage } from "./volume-health.ts";
import { statusMessage, volumeMessage } from "./volume-message.ts";

/** The controller's calls that change nothing. */
export function queryCalls(deps: MockDeps): ControllerService {
  const hasSnapshots = deps.settings.abilities.includes("snapshots");
  return { ...volumeQueries(deps), ...(hasSnapshots ? snapshotQueries(deps) : {}), ...healthQueries(deps) };
}

function volumeQueries({ backend, settings }: MockDeps): ControllerService {
  return {
    async listVolumes(request) {
      const { entries, nextToken } = pageOf(backend.volumes.list(), request, backend.lastSequence);
      const listed = entries.map((volume) => ({
        volume: volumeMessage(volume),
        status: statusMessage(volume, settings),
      }));
      return { entries: listed, nextToken };
    },
    async controllerGetVolume({ volumeId }) {
      const volume = requireVolume(backend, volumeId);
      return { volume: volumeMessage(volume), status: statusMessage(volume, settings) };
    },
    async getCapacity() {
      const availableCapacity = settings.capacityBytes - backend.usedBytes();
      const largest = availableCapacity < settings.maxVolumeBytes ? availableCapacity : settings.maxVolumeBytes;
      return { availableCapacity, maximumVolumeSize: largest, minimumVolumeSize: 1n };
    },
    async validateVolumeCapabilities(request) {
      const obstacle = obstacleTo(request, requireVolume(backend, request.volumeId));
      if (obstacle !== undefined) return { message: obstacle };
      const { volumeContext, volumeCapabilities, parameters, mutableParameters } = request;
      return { confirmed: { volumeContext, volumeCapabilities, parameters, mutableParameters } };
    },
  };
}

function obstacleTo(request: ValidateVolumeCapabilitiesRequest, volume: MockVolume): string | undefined {
  const type = request.volumeCapabilities.map(accessTypeOf).find((wished) => !volume.accessTypes.includes(wished));
  if (type !== undefined) return `the volume was made for ${volume.accessTypes.join(" and ")}, not for ${type}`;
  const isOther = Object.keys(request.parameters).length > 0 && !isSameMap(request.parameters, volume.parameters);
  return isOther ? "the volume was made with other parameters" : undefined;
}

function snapshotQueries(deps: MockDeps): ControllerService {
  const { backend, settings } = deps;
  return {
    async listSnapshots(request) {
      const { entries, nextToken } = listSnapshots(deps, request);
      return { entries: entries.map((snapshot) => ({ snapshot: snapshotMessage(snapshot, settings) })), nextToken };
    },
    async getSnapshot({ snapshotId }) {
      return { snapshot: snapshotMessage(requireSnapshot(backend, snapshotId), settings) };
    },
  };
}

function healthQueries({ backend }: MockDeps): ControllerService {
  return {
    async controllerGetVolumeHealth({ volumeId }) {
      return { volumeHealth: healthMessage(volumeId, requireVolume(backend, volumeId).ailment) };
    },
    async controllerListVolumeHealth(request) {
      const ailing = backend.volumes.list().filter(({ ailment }) => ailment !== undefined);
      const { entries, nextToken } = pageOf(ailing, request, backend.lastSequence);
      return { entries: entries.map(({ id, ailment }) => healthMessage(id, ailment)), nextToken };
    },
  };
}
