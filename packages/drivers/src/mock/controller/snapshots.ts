import { type CreateSnapshotRequest, CsiError, type ListSnapshotsRequest } from "@stowage/csi";
import { requireVolume } from "../backend/lookup.ts";
import { type Page, pageOf } from "../backend/page.ts";
import { choosePlace } from "../backend/topology.ts";
import type { MockSnapshot } from "../backend/volume.ts";
import type { MockDeps } from "../deps.ts";

export function createSnapshot({ settings, backend }: MockDeps, request: CreateSnapshotRequest): MockSnapshot {
  const existing = backend.snapshots.named(request.name);
  if (existing?.sourceVolumeId === request.sourceVolumeId) return existing;
  if (existing !== undefined)
    throw new CsiError(
      "ALREADY_EXISTS",
      `the snapshot ${request.name} exists, of the volume ${existing.sourceVolumeId}`,
    );
  const volume = requireVolume(backend, request.sourceVolumeId);
  // A snapshot can be used from everywhere, so the answer names no place; but it must be a place that there is.
  choosePlace(request.accessibilityRequirements, settings.topology);
  return backend.snapshots.put({
    ...backend.newIdentity("snap"),
    name: request.name,
    sourceVolumeId: volume.id,
    sizeBytes: volume.capacityBytes,
    parameters: request.parameters,
    createdAtMs: settings.clock.nowMs(),
  });
}

/** Snapshots stand by themselves: neither their volume nor what was made from them keeps them from going. */
export function deleteSnapshot({ backend }: MockDeps, snapshotId: string): void {
  const groupId = backend.snapshots.get(snapshotId)?.groupId;
  if (groupId !== undefined)
    throw new CsiError("INVALID_ARGUMENT", `${snapshotId} goes only with its group snapshot ${groupId}`);
  backend.snapshots.remove(snapshotId);
}

export function listSnapshots({ backend }: MockDeps, request: ListSnapshotsRequest): Page<MockSnapshot> {
  const { snapshotId, sourceVolumeId } = request;
  const wanted = backend.snapshots
    .list()
    .filter((snapshot) => snapshotId === "" || snapshot.id === snapshotId)
    .filter((snapshot) => sourceVolumeId === "" || snapshot.sourceVolumeId === sourceVolumeId);
  return pageOf(wanted, request, backend.lastSequence);
}
