import type { VolumeGroupSnapshot as CsiGroupSnapshot, Snapshot } from "@stowage/csi";
import {
  formatTime,
  type VolumeGroupSnapshotContentStatus,
  type VolumeSnapshotContentStatus,
  type VolumeSnapshotInfo,
} from "@stowage/machinery";
import { jsonInteger } from "../snapshots/index.ts";

type Timestamp = Snapshot["creationTime"];

const NANOS_PER_SECOND = 1_000_000_000n;
const NANOS_PER_MS = 1_000_000n;

/** What the driver's answer about a snapshot means for its content. */
export function snapshotStatus(snapshot: Snapshot, nowMs: number): VolumeSnapshotContentStatus {
  const { snapshotId, readyToUse, creationTime, sizeBytes, groupSnapshotId } = snapshot;
  return {
    snapshotHandle: snapshotId,
    readyToUse,
    creationTime: jsonInteger(nanosOf(creationTime) ?? BigInt(nowMs) * NANOS_PER_MS),
    ...(sizeBytes > 0n && { restoreSize: jsonInteger(sizeBytes) }),
    ...(groupSnapshotId !== "" && { volumeGroupSnapshotHandle: groupSnapshotId }),
  };
}

/** Of a snapshot that the driver cannot be asked about: it is taken for what the content says that it is. */
export function assumedStatus(snapshotHandle: string, nowMs: number): VolumeSnapshotContentStatus {
  return { snapshotHandle, readyToUse: true, creationTime: jsonInteger(BigInt(nowMs) * NANOS_PER_MS) };
}

export function groupStatus(group: CsiGroupSnapshot, nowMs: number): VolumeGroupSnapshotContentStatus {
  const { groupSnapshotId, readyToUse, creationTime } = group;
  const nanos = nanosOf(creationTime);
  return {
    volumeGroupSnapshotHandle: groupSnapshotId,
    readyToUse,
    creationTime: formatTime(nanos === undefined ? nowMs : Number(nanos / NANOS_PER_MS)),
  };
}

export function memberInfos({ snapshots }: CsiGroupSnapshot): VolumeSnapshotInfo[] {
  return snapshots.map(({ snapshotId, sourceVolumeId, readyToUse, creationTime, sizeBytes }) => {
    const nanos = nanosOf(creationTime);
    return {
      volumeHandle: sourceVolumeId,
      snapshotHandle: snapshotId,
      readyToUse,
      ...(nanos !== undefined && { creationTime: jsonInteger(nanos) }),
      ...(sizeBytes > 0n && { restoreSize: jsonInteger(sizeBytes) }),
    };
  });
}

function nanosOf(time: Timestamp): bigint | undefined {
  return time === undefined ? undefined : time.seconds * NANOS_PER_SECOND + BigInt(time.nanos);
}
