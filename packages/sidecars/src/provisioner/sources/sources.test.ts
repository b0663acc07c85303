import type {
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  VolumeSnapshot,
  VolumeSnapshotContent,
} from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { desiredCloneSource } from "./clone-source.ts";
import { dataSourceOf, isWaitingFor } from "./data-source.ts";
import { desiredSnapshotSource } from "./snapshot-source.ts";

type Changes = Readonly<Record<string, unknown>>;

function merged<T extends object>(base: T, changes: Changes): T {
  const result = { ...base } as Record<string, unknown>;
  for (const [key, value] of Object.entries(changes)) {
    const isNested = typeof value === "object" && value !== null && !Array.isArray(value);
    result[key] = isNested ? merged(result[key] ?? {}, value as Changes) : value;
  }
  return result as T;
}

function claimWith(spec: PersistentVolumeClaimSpec = {}): PersistentVolumeClaim {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { namespace: "team", name: "copy", uid: "copy-uid" },
    spec: { storageClassName: "fast", resources: { requests: { storage: "2Gi" } }, ...spec },
  };
}

const unusable = (message: string) =>
  expect.objectContaining({ code: "DATA_SOURCE_UNUSABLE", message: expect.stringContaining(message) });

describe("the source of a claim", () => {
  it.each<[string, PersistentVolumeClaimSpec, object | undefined]>([
    ["is none", {}, undefined],
    [
      "is a claim",
      { dataSource: { kind: "PersistentVolumeClaim", name: "a" } },
      { kind: "claim", namespace: "team", name: "a" },
    ],
    [
      "is a snapshot",
      { dataSource: { kind: "VolumeSnapshot", apiGroup: "snapshot.storage.k8s.io", name: "a" } },
      { kind: "snapshot", namespace: "team", name: "a" },
    ],
    [
      "may be a reference",
      { dataSourceRef: { kind: "PersistentVolumeClaim", name: "a" } },
      { kind: "claim", namespace: "team", name: "a" },
    ],
    [
      "of another kind is a populator's",
      { dataSourceRef: { kind: "Backup", apiGroup: "example.com", name: "a" } },
      { kind: "populator", objectKind: "Backup" },
    ],
  ])("%s", (_what, spec, expected) => expect(dataSourceOf(claimWith(spec))).toEqual(expected));

  it.each<[string, PersistentVolumeClaimSpec, string]>([
    ["without a name", { dataSource: { kind: "PersistentVolumeClaim", name: "" } }, "DATA_SOURCE_UNUSABLE"],
    [
      "of another group's snapshots",
      { dataSource: { kind: "VolumeSnapshot", apiGroup: "x.io", name: "a" } },
      "DATA_SOURCE_UNUSABLE",
    ],
    [
      "in another namespace",
      { dataSourceRef: { kind: "PersistentVolumeClaim", name: "a", namespace: "other" } },
      "CLAIM_UNSUPPORTED",
    ],
  ])("%s is refused", (_what, spec, code) => {
    expect(() => dataSourceOf(claimWith(spec))).toThrow(expect.objectContaining({ code }));
  });

  it("is waited for until the claim is bound", () => {
    const claim = claimWith({ dataSource: { kind: "PersistentVolumeClaim", name: "a" } });
    expect(isWaitingFor(claim, "claim", "a")).toBe(true);
    expect(isWaitingFor(claim, "claim", "b")).toBe(false);
    expect(isWaitingFor(claim, "snapshot", "a")).toBe(false);
    expect(isWaitingFor({ ...claim, status: { phase: "Bound" } }, "claim", "a")).toBe(false);
  });
});

const source: PersistentVolumeClaim = {
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { namespace: "team", name: "data", uid: "data-uid" },
  spec: { storageClassName: "fast", volumeName: "pv", resources: { requests: { storage: "1Gi" } } },
  status: { phase: "Bound" },
};
const sourceVolume: PersistentVolume = {
  apiVersion: "v1",
  kind: "PersistentVolume",
  metadata: { name: "pv" },
  spec: {
    csi: { driver: "d.csi", volumeHandle: "v" },
    claimRef: { namespace: "team", name: "data", uid: "data-uid" },
  },
  status: { phase: "Bound" },
};

describe("a clone", () => {
  const cloned = (spec: PersistentVolumeClaimSpec, claim: Changes = {}, volume: Changes = {}) =>
    desiredCloneSource({
      claim: claimWith(spec),
      source: merged(source, claim),
      sourceVolume: merged(sourceVolume, volume),
      driverName: "d.csi",
    });

  it("is of the volume of its source", () => {
    expect(cloned({})).toEqual({ type: { case: "volume", value: { volumeId: "v" } } });
    const sameSize = cloned({ resources: { requests: { storage: "1Gi" } } });
    expect(sameSize).toBeDefined();
  });

  it.each<[string, PersistentVolumeClaimSpec, Changes, Changes, string]>([
    ["that is not bound", {}, { status: { phase: "Pending" } }, {}, "must be Bound"],
    ["that is being deleted", {}, { metadata: { deletionTimestamp: "now" } }, {}, "being deleted"],
    ["that is larger", { resources: { requests: { storage: "1023Mi" } } }, {}, {}, "asks for 1072693248 bytes"],
    ["of another driver", {}, {}, { spec: { csi: { driver: "other" } } }, "not of the driver d.csi"],
    ["whose volume is another claim's", {}, {}, { spec: { claimRef: { uid: "x" } } }, "is not bound to"],
    ["whose volume is released", {}, {}, { status: { phase: "Released" } }, "is not bound to"],
    ["of another volume mode", { volumeMode: "Block" }, {}, {}, "the same volume mode"],
    ["of another volume mode, the other way round", {}, {}, { spec: { volumeMode: "Block" } }, "the same volume mode"],
  ])("of a claim %s is refused", (...[, spec, claim, volume, message]) => {
    expect(() => cloned(spec, claim, volume)).toThrow(unusable(message));
  });

  it("of nothing is refused", () => {
    const subject = { claim: claimWith(), sourceVolume: undefined, driverName: "d.csi" };
    expect(() => desiredCloneSource({ ...subject, source: undefined })).toThrow(unusable("does not exist"));
    expect(() => desiredCloneSource({ ...subject, source })).toThrow(unusable("is not known"));
  });
});

const snapshot: VolumeSnapshot = {
  apiVersion: "snapshot.storage.k8s.io/v1",
  kind: "VolumeSnapshot",
  metadata: { namespace: "team", name: "monday", uid: "monday-uid" },
  spec: { source: { persistentVolumeClaimName: "data" } },
  status: { boundVolumeSnapshotContentName: "content", readyToUse: true, restoreSize: "2Gi" },
};
const content: VolumeSnapshotContent = {
  apiVersion: "snapshot.storage.k8s.io/v1",
  kind: "VolumeSnapshotContent",
  metadata: { name: "content" },
  spec: {
    deletionPolicy: "Delete",
    driver: "d.csi",
    source: { snapshotHandle: "s" },
    sourceVolumeMode: "Filesystem",
    volumeSnapshotRef: { namespace: "team", name: "monday", uid: "monday-uid" },
  },
  status: { snapshotHandle: "s" },
};

describe("a restored snapshot", () => {
  const restored = (
    spec: PersistentVolumeClaimSpec,
    changes: Changes = {},
    contentChanges: Changes = {},
    preventVolumeModeConversion = true,
  ) =>
    desiredSnapshotSource({
      claim: claimWith(spec),
      snapshot: merged(snapshot, changes),
      content: merged(content, contentChanges),
      driverName: "d.csi",
      preventVolumeModeConversion,
    });
  const found = { type: { case: "snapshot", value: { snapshotId: "s" } } };

  it("is the one that its content names", () => expect(restored({ volumeMode: "Filesystem" })).toEqual(found));

  it("may be on its way out, if restoring had begun before", () => {
    const finalizers = ["provisioner.storage.kubernetes.io/volumesnapshot-as-source-protection"];
    expect(restored({}, { metadata: { deletionTimestamp: "now", finalizers } })).toEqual(found);
  });

  const allow = (value: string) => ({
    metadata: { annotations: { "snapshot.storage.kubernetes.io/allow-volume-mode-change": value } },
  });

  it("may change its mode when that is allowed, or not guarded", () => {
    expect(restored({ volumeMode: "Block" }, {}, allow("true"))).toEqual(found);
    expect(restored({ volumeMode: "Block" }, {}, {}, false)).toEqual(found);
    expect(restored({ volumeMode: "Block" }, {}, { spec: { sourceVolumeMode: undefined } })).toEqual(found);
  });

  it.each<[string, PersistentVolumeClaimSpec, Changes, Changes, string]>([
    ["being deleted", {}, { metadata: { deletionTimestamp: "now" } }, {}, "being deleted"],
    ["of another driver", {}, {}, { spec: { driver: "other" } }, "of the driver other"],
    ["whose content is another's", {}, {}, { spec: { volumeSnapshotRef: { uid: "x" } } }, "belongs to another"],
    ["that is not ready", {}, { status: { readyToUse: false } }, {}, "not ready"],
    ["without a handle", {}, {}, { status: { snapshotHandle: undefined } }, "no handle"],
    ["that is larger than the claim", { resources: { requests: { storage: "1Gi" } } }, {}, {}, "needs 2147483648"],
    ["of another mode", { volumeMode: "Block" }, {}, {}, "asks for Block"],
    ["of another mode, allowed by half", { volumeMode: "Block" }, {}, allow("maybe"), "asks for Block"],
    ["of another mode, forbidden", { volumeMode: "Block" }, {}, allow("false"), "asks for Block"],
  ])("%s is refused", (...[, spec, changes, contentChanges, message]) => {
    expect(() => restored(spec, changes, contentChanges)).toThrow(unusable(message));
  });

  it("that another node has is restored there", () => {
    const subject = { claim: claimWith(), snapshot, driverName: "d.csi", preventVolumeModeConversion: true };
    const labels = { "snapshot.storage.kubernetes.io/managed-by": "a" };
    const there = { ...subject, content: { ...content, metadata: { ...content.metadata, labels } } };
    const elsewhere = expect.objectContaining({ code: "TOPOLOGY_RESCHEDULE", nodeName: "a" });
    expect(() => desiredSnapshotSource({ ...there, nodeName: "b" })).toThrow(elsewhere);
    expect(desiredSnapshotSource({ ...there, nodeName: "a" })).toEqual(found);
    // Whoever makes volumes for all nodes can do so where the snapshot is.
    expect(desiredSnapshotSource(there)).toEqual(found);
    expect(desiredSnapshotSource({ ...subject, content, nodeName: "b" })).toEqual(found);
  });

  it("without a content is refused", () => {
    const subject = { claim: claimWith(), snapshot, driverName: "d.csi", preventVolumeModeConversion: true };
    expect(() => desiredSnapshotSource({ ...subject, content: undefined })).toThrow(unusable("not bound"));
  });
});
