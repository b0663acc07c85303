import { type CreateVolumeRequest, CsiError, type VolumeContentSource } from "@stowage/csi";
import { accessTypeOf } from "../backend/capability.ts";
import { chooseSize, isWithin } from "../backend/capacity.ts";
import { requireSnapshot, requireVolume } from "../backend/lookup.ts";
import { choosePlace, isReachable } from "../backend/topology.ts";
import type { AccessType, ContentSource, MockVolume } from "../backend/volume.ts";
import type { MockDeps } from "../deps.ts";
import { checkMutableParameters, isSameMap } from "./parameters.ts";
import { isReady } from "./snapshot-message.ts";

/** The volume of that name: the one that there is if it fits, else a new one. */
export function createVolume(deps: MockDeps, request: CreateVolumeRequest): MockVolume {
  const { settings, backend } = deps;
  checkMutableParameters(settings, request.mutableParameters);
  const source = sourceOf(request.volumeContentSource);
  const existing = backend.volumes.named(request.name);
  if (existing !== undefined) return fitting(existing, request, source);
  const capacityBytes = chooseSize(request.capacityRange, {
    minimumBytes: source === undefined ? 0n : sourceBytes(deps, source),
    maximumBytes: settings.maxVolumeBytes,
  });
  if (backend.usedBytes() + capacityBytes > settings.capacityBytes)
    throw new CsiError("RESOURCE_EXHAUSTED", `the storage has no ${capacityBytes} bytes left`);
  const topology = choosePlace(request.accessibilityRequirements, settings.topology);
  return backend.volumes.put({
    ...backend.newIdentity("vol"),
    name: request.name,
    capacityBytes,
    accessTypes: accessTypesOf(request),
    parameters: request.parameters,
    mutableParameters: request.mutableParameters,
    source,
    topology,
    attachments: {},
  });
}

/** @throws CsiError ALREADY_EXISTS when the volume is not what the request asks for */
function fitting(volume: MockVolume, request: CreateVolumeRequest, source: ContentSource | undefined): MockVolume {
  const misfits = {
    capacity_range: !isWithin(volume.capacityBytes, request.capacityRange),
    volume_capabilities: !accessTypesOf(request).every((type) => volume.accessTypes.includes(type)),
    parameters: !isSameMap(volume.parameters, request.parameters),
    mutable_parameters: !isSameMap(volume.mutableParameters, request.mutableParameters),
    volume_content_source: volume.source?.kind !== source?.kind || volume.source?.id !== source?.id,
    accessibility_requirements: !isReachable(volume.topology, request.accessibilityRequirements),
  };
  const [misfit] = Object.entries(misfits).find(([, isMisfit]) => isMisfit) ?? [];
  if (misfit === undefined) return volume;
  throw new CsiError("ALREADY_EXISTS", `the volume ${request.name} exists with another ${misfit}`);
}

function accessTypesOf({ volumeCapabilities }: CreateVolumeRequest): AccessType[] {
  return [...new Set(volumeCapabilities.map(accessTypeOf))];
}

function sourceOf(source: VolumeContentSource | undefined): ContentSource | undefined {
  switch (source?.type.case) {
    case "snapshot":
      return { kind: "snapshot", id: source.type.value.snapshotId };
    case "volume":
      return { kind: "volume", id: source.type.value.volumeId };
    case undefined:
      return undefined;
  }
}

/** @throws CsiError NOT_FOUND, or FAILED_PRECONDITION when the snapshot is not ready */
function sourceBytes({ backend, settings }: MockDeps, { kind, id }: ContentSource): bigint {
  if (kind === "volume") return requireVolume(backend, id).capacityBytes;
  const snapshot = requireSnapshot(backend, id);
  if (!isReady(snapshot, settings))
    throw new CsiError("FAILED_PRECONDITION", `the snapshot ${id} is not ready to use yet`);
  return snapshot.sizeBytes;
}
