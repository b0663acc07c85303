import { type CreateVolumeGroupSnapshotRequest, CsiError, type GroupControllerService } from "@stowage/csi";
import { missing, requireVolume } from "../backend/lookup.ts";
import type { MockGroupSnapshot, MockVolume } from "../backend/volume.ts";
import type { MockDeps } from "../deps.ts";
import { isSameMap } from "./parameters.ts";
import { groupSnapshotMessage } from "./snapshot-message.ts";

export function groupControllerService(deps: MockDeps): GroupControllerService {
  const { backend } = deps;
  return {
    async createVolumeGroupSnapshot(request) {
      return { groupSnapshot: groupSnapshotMessage(createGroupSnapshot(deps, request), deps) };
    },
    async deleteVolumeGroupSnapshot({ groupSnapshotId, snapshotIds }) {
      const group = backend.groupSnapshots.get(groupSnapshotId);
      if (group === undefined) return {};
      checkMembers(group, snapshotIds);
      for (const id of group.snapshotIds) backend.snapshots.remove(id);
      backend.groupSnapshots.remove(group.id);
      return {};
    },
    async getVolumeGroupSnapshot({ groupSnapshotId, snapshotIds }) {
      const group = backend.groupSnapshots.get(groupSnapshotId) ?? missing("group snapshot", groupSnapshotId);
      checkMembers(group, snapshotIds);
      return { groupSnapshot: groupSnapshotMessage(group, deps) };
    },
  };
}

function createGroupSnapshot(deps: MockDeps, request: CreateVolumeGroupSnapshotRequest): MockGroupSnapshot {
  const { backend, settings } = deps;
  const existing = backend.groupSnapshots.named(request.name);
  if (existing !== undefined) return fitting(existing, request);
  // All volumes are looked up before the first snapshot is taken: it is all of them or none.
  const volumes = request.sourceVolumeIds.map((id) => requireVolume(backend, id));
  const identity = backend.newIdentity("group");
  const createdAtMs = settings.clock.nowMs();
  const snapshotIds = volumes.map((volume) => takeSnapshot(deps, volume, { groupId: identity.id, createdAtMs }));
  return backend.groupSnapshots.put({
    ...identity,
    name: request.name,
    sourceVolumeIds: request.sourceVolumeIds,
    parameters: request.parameters,
    snapshotIds,
    createdAtMs,
  });
}

function takeSnapshot(
  { backend }: MockDeps,
  volume: MockVolume,
  common: { readonly groupId: string; readonly createdAtMs: number },
): string {
  const { id: sourceVolumeId, capacityBytes: sizeBytes } = volume;
  const name = `${common.groupId}/${sourceVolumeId}`;
  const identity = backend.newIdentity("snap");
  backend.snapshots.put({ ...identity, ...common, name, sourceVolumeId, sizeBytes, parameters: {} });
  return identity.id;
}

function fitting(group: MockGroupSnapshot, request: CreateVolumeGroupSnapshotRequest): MockGroupSnapshot {
  const isSame = isSameSet(group.sourceVolumeIds, request.sourceVolumeIds);
  if (isSame && isSameMap(group.parameters, request.parameters)) return group;
  const difference = isSame ? "parameters" : "volumes";
  throw new CsiError("ALREADY_EXISTS", `the group snapshot ${request.name} exists with other ${difference}`);
}

/** A caller that names no members leaves them to the driver. */
function checkMembers(group: MockGroupSnapshot, snapshotIds: readonly string[]): void {
  if (snapshotIds.length === 0 || isSameSet(group.snapshotIds, snapshotIds)) return;
  throw new CsiError("INVALID_ARGUMENT", `the snapshots of ${group.id} are others than those in the request`);
}

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.every((item) => b.includes(item)) && b.every((item) => a.includes(item));
}
