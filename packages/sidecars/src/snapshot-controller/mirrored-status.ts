import { isDeepStrictEqual } from "node:util";
import {
  formatTime,
  Quantity,
  type VolumeGroupSnapshotContent,
  type VolumeGroupSnapshotStatus,
  type VolumeSnapshotContent,
  type VolumeSnapshotError,
  type VolumeSnapshotStatus,
} from "@stowage/machinery";

/** A change of status, as a merge patch; and whether it is the one by which the snapshot is made, or ready. */
export interface StatusChange {
  readonly change: object;
  readonly isCreated: boolean;
  readonly isReady: boolean;
}

const NANOS_PER_MS = 1_000_000;

/** What the status of a snapshot must become for it to say what its content says; undefined when it does. */
export function mirroredStatus(
  status: VolumeSnapshotStatus = {},
  content: VolumeSnapshotContent,
  groupName?: string,
): StatusChange | undefined {
  const { creationTime, restoreSize, readyToUse = false, error } = content.status ?? {};
  const isSizeNews = restoreSize !== undefined && (status.restoreSize === undefined || isZero(status.restoreSize));
  return changeOf(status, {
    boundVolumeSnapshotContentName: status.boundVolumeSnapshotContentName ?? content.metadata.name,
    creationTime:
      status.creationTime ?? (creationTime === undefined ? undefined : formatTime(creationTime / NANOS_PER_MS)),
    restoreSize: isSizeNews ? Quantity.fromBytes(BigInt(restoreSize)).toString() : status.restoreSize,
    readyToUse,
    volumeGroupSnapshotName: status.volumeGroupSnapshotName ?? groupName,
    error,
  });
}

export function mirroredGroupStatus(
  status: VolumeGroupSnapshotStatus = {},
  content: VolumeGroupSnapshotContent,
): StatusChange | undefined {
  const { creationTime, readyToUse = false, error } = content.status ?? {};
  return changeOf(status, {
    boundVolumeGroupSnapshotContentName: status.boundVolumeGroupSnapshotContentName ?? content.metadata.name,
    creationTime: status.creationTime ?? creationTime,
    readyToUse,
    error,
  });
}

interface MirroredFields extends Readonly<Record<string, unknown>> {
  readonly creationTime?: string;
  readonly readyToUse?: boolean;
  readonly error?: VolumeSnapshotError;
}

function changeOf(status: MirroredFields | object, wanted: MirroredFields): StatusChange | undefined {
  const known = status as MirroredFields;
  const changed = Object.entries(wanted).filter(([field, value]) => !isDeepStrictEqual(known[field], value));
  if (changed.length === 0) return undefined;
  return {
    change: Object.fromEntries(changed.map(([field, value]) => [field, value ?? null])),
    isCreated: known.creationTime === undefined && wanted.creationTime !== undefined,
    isReady: known.readyToUse !== true && wanted.readyToUse === true,
  };
}

function isZero(size: string): boolean {
  return Quantity.parse(size).isZero();
}
