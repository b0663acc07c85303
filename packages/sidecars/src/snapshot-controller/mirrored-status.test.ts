import type {
  VolumeGroupSnapshotContent,
  VolumeSnapshotContent,
  VolumeSnapshotContentStatus,
  VolumeSnapshotStatus,
} from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { mirroredGroupStatus, mirroredStatus } from "./mirrored-status.ts";

const nanos = 1_794_748_081_420_000_000;
const time = "2026-11-15T13:08:01Z";
const taken: VolumeSnapshotContentStatus = {
  snapshotHandle: "h",
  creationTime: nanos,
  restoreSize: 2 ** 30,
  readyToUse: false,
};
const mirrored: VolumeSnapshotStatus = {
  boundVolumeSnapshotContentName: "c",
  creationTime: time,
  restoreSize: "1Gi",
  readyToUse: false,
};
const error = { message: "m", time };

function content(status?: VolumeSnapshotContentStatus): VolumeSnapshotContent {
  return {
    apiVersion: "snapshot.storage.k8s.io/v1",
    kind: "VolumeSnapshotContent",
    metadata: { name: "c" },
    spec: { deletionPolicy: "Delete", driver: "d", source: {}, volumeSnapshotRef: {} },
    status,
  };
}

interface Row {
  readonly what: string;
  readonly known?: VolumeSnapshotStatus;
  readonly content?: VolumeSnapshotContentStatus;
  readonly group?: string;
  readonly change: object | undefined;
  readonly isCreated?: boolean;
  readonly isReady?: boolean;
}

const rows: readonly Row[] = [
  {
    what: "says at first to which content it is bound",
    change: { boundVolumeSnapshotContentName: "c", readyToUse: false },
  },
  { what: "says all that the content says", content: taken, change: mirrored, isCreated: true },
  {
    what: "says at once that it is ready",
    content: { ...taken, readyToUse: true },
    change: { ...mirrored, readyToUse: true },
    isCreated: true,
    isReady: true,
  },
  { what: "is as it should be", known: mirrored, content: taken, change: undefined },
  {
    what: "becomes ready",
    known: mirrored,
    content: { ...taken, readyToUse: true },
    change: { readyToUse: true },
    isReady: true,
  },
  { what: "says what went wrong", known: mirrored, content: { ...taken, error }, change: { error } },
  {
    what: "says what goes wrong now",
    known: { ...mirrored, error: { message: "old", time } },
    content: { ...taken, error },
    change: { error },
  },
  { what: "is silent about what is mended", known: { ...mirrored, error }, content: taken, change: { error: null } },
  {
    what: "keeps its first time",
    known: mirrored,
    content: { ...taken, creationTime: nanos * 1.01 },
    change: undefined,
  },
  { what: "keeps its first size", known: mirrored, content: { ...taken, restoreSize: 1 }, change: undefined },
  {
    what: "learns its size later",
    known: { ...mirrored, restoreSize: "0" },
    content: taken,
    change: { restoreSize: "1Gi" },
  },
  {
    what: "names its group",
    known: mirrored,
    content: taken,
    group: "g",
    change: { volumeGroupSnapshotName: "g" },
  },
];

describe("the status of a snapshot", () => {
  it.each(rows)("$what", ({ known, content: status, group, change, isCreated = false, isReady = false }) => {
    const expected = change === undefined ? undefined : { change, isCreated, isReady };
    expect(mirroredStatus(known, content(status), group)).toEqual(expected);
  });
});

describe("the status of a group", () => {
  const groupContent: VolumeGroupSnapshotContent = {
    apiVersion: "groupsnapshot.storage.k8s.io/v1",
    kind: "VolumeGroupSnapshotContent",
    metadata: { name: "c" },
    spec: { deletionPolicy: "Delete", driver: "d", source: {}, volumeGroupSnapshotRef: {} },
    status: { creationTime: time, readyToUse: true },
  };

  it("says what the content says, once", () => {
    const change = { boundVolumeGroupSnapshotContentName: "c", creationTime: time, readyToUse: true };
    expect(mirroredGroupStatus(undefined, groupContent)).toEqual({ change, isCreated: true, isReady: true });
    expect(mirroredGroupStatus(change, groupContent)).toBeUndefined();
  });
});
