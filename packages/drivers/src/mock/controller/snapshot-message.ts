import type { MockGroupSnapshot, MockSnapshot } from "../backend/volume.ts";
import type { MockDeps } from "../deps.ts";
import type { MockSettings } from "../options.ts";

export function isReady({ createdAtMs }: MockSnapshot, { clock, snapshotDelayMs }: MockSettings): boolean {
  return clock.nowMs() >= createdAtMs + snapshotDelayMs;
}

/** A snapshot as the protocol tells it. */
export function snapshotMessage(snapshot: MockSnapshot, settings: MockSettings) {
  return {
    snapshotId: snapshot.id,
    sourceVolumeId: snapshot.sourceVolumeId,
    sizeBytes: snapshot.sizeBytes,
    creationTime: timestamp(snapshot.createdAtMs),
    readyToUse: isReady(snapshot, settings),
    groupSnapshotId: snapshot.groupId ?? "",
  };
}

export function groupSnapshotMessage(group: MockGroupSnapshot, { backend, settings }: MockDeps) {
  const snapshots = group.snapshotIds
    .flatMap((id) => backend.snapshots.get(id) ?? [])
    .map((snapshot) => snapshotMessage(snapshot, settings));
  return {
    groupSnapshotId: group.id,
    snapshots,
    creationTime: timestamp(group.createdAtMs),
    readyToUse: snapshots.every(({ readyToUse }) => readyToUse),
  };
}

function timestamp(timeMs: number): { seconds: bigint; nanos: number } {
  return { seconds: BigInt(Math.floor(timeMs / 1000)), nanos: (timeMs % 1000) * 1_000_000 };
}
