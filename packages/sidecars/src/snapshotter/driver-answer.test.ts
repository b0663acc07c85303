import type { Snapshot, VolumeGroupSnapshot } from "@stowage/csi";
import type { VolumeSnapshotContent, VolumeSnapshotContentStatus } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { failureChange, statusChange } from "./content-status.ts";
import { assumedStatus, groupStatus, memberInfos, snapshotStatus } from "./driver-answer.ts";

const NOW_MS = 1_700_000_000_000;
const creationTime = { $typeName: "google.protobuf.Timestamp", seconds: 1_794_748_081n, nanos: 420_000_001 } as const;

function message(fields: Partial<Snapshot>): Snapshot {
  const empty = { snapshotId: "", sourceVolumeId: "", readyToUse: false, sizeBytes: 0n, groupSnapshotId: "" };
  const accessibleTopology: Snapshot["accessibleTopology"] = [];
  return { $typeName: "csi.v1.Snapshot", accessibleTopology, ...empty, ...fields };
}

describe("the driver's answer", () => {
  it("is written down to the last nanosecond", () => {
    const snapshot = { snapshotId: "s", sourceVolumeId: "v", readyToUse: true, sizeBytes: 1024n, creationTime };
    const status = snapshotStatus(message(snapshot), NOW_MS);
    expect(JSON.stringify(status)).toBe(
      '{"snapshotHandle":"s","readyToUse":true,"creationTime":1794748081420000001,"restoreSize":1024}',
    );
  });

  it("without a time or a size gets the present time and no size", () => {
    const status = snapshotStatus(message({ snapshotId: "s", groupSnapshotId: "g" }), NOW_MS);
    expect(JSON.parse(JSON.stringify(status))).toEqual({
      snapshotHandle: "s",
      readyToUse: false,
      creationTime: 1_700_000_000_000_000_000,
      volumeGroupSnapshotHandle: "g",
    });
  });

  it("is assumed when the driver cannot list snapshots", () => {
    expect(assumedStatus("s", NOW_MS)).toMatchObject({ snapshotHandle: "s", readyToUse: true });
  });

  it("about a group tells of its members", () => {
    const group: VolumeGroupSnapshot = {
      $typeName: "csi.v1.VolumeGroupSnapshot",
      groupSnapshotId: "g",
      snapshots: [message({ snapshotId: "s", sourceVolumeId: "v", readyToUse: true, sizeBytes: 5n })],
      readyToUse: true,
      creationTime,
    };
    expect(groupStatus(group, NOW_MS)).toEqual({
      volumeGroupSnapshotHandle: "g",
      readyToUse: true,
      creationTime: "2026-11-15T13:08:01Z",
    });
    expect(memberInfos(group)).toEqual([{ volumeHandle: "v", snapshotHandle: "s", readyToUse: true, restoreSize: 5 }]);
  });
});

describe("the change of status", () => {
  const told = { snapshotHandle: "s", readyToUse: false, creationTime: 1, restoreSize: 2 };

  const content = (status?: VolumeSnapshotContentStatus): VolumeSnapshotContent => ({
    apiVersion: "snapshot.storage.k8s.io/v1",
    kind: "VolumeSnapshotContent",
    metadata: {},
    spec: { deletionPolicy: "Delete", driver: "d", source: {}, volumeSnapshotRef: {} },
    status,
  });

  it.each<[string, VolumeSnapshotContentStatus | undefined, object, object | undefined]>([
    ["is all of it at first", undefined, told, told],
    ["is nothing when all is known", told, { ...told, creationTime: 9 }, undefined],
    ["is that it is ready", told, { ...told, readyToUse: true }, { readyToUse: true }],
    ["is that it is not ready after all", { ...told, readyToUse: true }, told, { readyToUse: false }],
    [
      "fills in what was missing",
      { readyToUse: false },
      told,
      { snapshotHandle: "s", creationTime: 1, restoreSize: 2 },
    ],
    ["takes the error back", { ...told, error: { message: "m" } }, told, { error: null }],
  ])("%s", (_what, status, answer, change) => {
    expect(statusChange(content(status), answer)).toEqual(change);
  });

  it("is the failure, with its time, once", () => {
    const change = { readyToUse: false, error: { message: "m", time: "2023-11-14T22:13:20Z" } };
    expect(failureChange(content(), "m", NOW_MS)).toEqual(change);
    expect(failureChange(content({ error: { message: "n" } }), "m", NOW_MS)).toEqual(change);
    expect(failureChange(content({ error: { message: "m" } }), "m", NOW_MS)).toBeUndefined();
  });
});
