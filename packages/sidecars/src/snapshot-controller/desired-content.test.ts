import type {
  PersistentVolume,
  VolumeGroupSnapshot,
  VolumeGroupSnapshotContent,
  VolumeSnapshot,
} from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { memberNames } from "../snapshots/index.ts";
import { bindingProblem } from "./binding.ts";
import { missingBinding } from "./content-binding.ts";
import { needsFinalizer } from "./content-protection.ts";
import { desiredContent } from "./desired-content.ts";
import { desiredGroupContent } from "./desired-group-content.ts";
import { desiredMember, desiredMemberContent, memberStatus } from "./desired-member.ts";
import { missingGroupBinding } from "./group-sync.ts";
import { missingProtection } from "./snapshot-protection.ts";

const CONTENT = "snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection";
const AS_SOURCE = "snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection";
const BOUND = "snapshot.storage.kubernetes.io/volumesnapshot-bound-protection";
const IN_GROUP = "snapshot.storage.kubernetes.io/volumesnapshot-in-group-protection";
const GROUP_CONTENT = "groupsnapshot.storage.kubernetes.io/volumegroupsnapshotcontent-bound-protection";

const snapshot: VolumeSnapshot = {
  apiVersion: "snapshot.storage.k8s.io/v1",
  kind: "VolumeSnapshot",
  metadata: { namespace: "n", name: "s", uid: "u", resourceVersion: "7" },
  spec: { source: { persistentVolumeClaimName: "p" } },
};

const volume: PersistentVolume = {
  apiVersion: "v1",
  kind: "PersistentVolume",
  metadata: { name: "pv" },
  spec: { volumeMode: "Block", claimRef: { namespace: "n", name: "p" } },
};

const snapshotClass = {
  apiVersion: "snapshot.storage.k8s.io/v1",
  kind: "VolumeSnapshotClass",
  metadata: { name: "k" },
  driver: "d",
  deletionPolicy: "Delete",
} as const;

const group: VolumeGroupSnapshot = {
  apiVersion: "groupsnapshot.storage.k8s.io/v1",
  kind: "VolumeGroupSnapshot",
  metadata: { namespace: "n", name: "g", uid: "gu" },
  spec: { source: { selector: {} } },
};

describe("the content of a snapshot", () => {
  const parts = {
    snapshot,
    class: snapshotClass,
    source: { volume, driver: "d", handle: "h" },
    secret: { name: "a", namespace: "b" },
    nodeName: "node",
    keepsVolumeMode: true,
  };

  it("has all that the sidecar needs, its finalizer from the start", () => {
    expect(desiredContent(parts)).toEqual({
      metadata: {
        name: "snapcontent-u",
        finalizers: [CONTENT],
        annotations: {
          "snapshot.storage.kubernetes.io/deletion-secret-name": "a",
          "snapshot.storage.kubernetes.io/deletion-secret-namespace": "b",
        },
        labels: { "snapshot.storage.kubernetes.io/managed-by": "node" },
      },
      spec: {
        deletionPolicy: "Delete",
        driver: "d",
        source: { volumeHandle: "h" },
        sourceVolumeMode: "Block",
        volumeSnapshotClassName: "k",
        volumeSnapshotRef: {
          apiVersion: "snapshot.storage.k8s.io/v1",
          kind: "VolumeSnapshot",
          namespace: "n",
          name: "s",
          uid: "u",
          resourceVersion: "7",
        },
      },
    });
  });

  it("says neither secret, nor node, nor mode when there is none to say", () => {
    const bare = desiredContent({ ...parts, secret: undefined, nodeName: undefined, keepsVolumeMode: false });
    expect(bare.metadata).toEqual({ name: "snapcontent-u", finalizers: [CONTENT], annotations: {} });
    expect(bare.spec).not.toHaveProperty("sourceVolumeMode");
  });
});

describe("the content of a group", () => {
  it("has the volumes, and the secret by the annotations of groups", () => {
    const groupClass = { ...snapshotClass, apiVersion: group.apiVersion, kind: "VolumeGroupSnapshotClass" } as const;
    const secret = { name: "a", namespace: "b" };
    const parts = { group, class: groupClass, volumeHandles: ["h", "i"], secret, nodeName: "node" };
    expect(desiredGroupContent(parts)).toMatchObject({
      metadata: {
        name: "groupsnapcontent-gu",
        finalizers: [GROUP_CONTENT],
        annotations: {
          "groupsnapshot.storage.kubernetes.io/deletion-secret-name": "a",
          "groupsnapshot.storage.kubernetes.io/deletion-secret-namespace": "b",
        },
        labels: { "snapshot.storage.kubernetes.io/managed-by": "node" },
      },
      spec: {
        source: { volumeHandles: ["h", "i"] },
        volumeGroupSnapshotClassName: "k",
        volumeGroupSnapshotRef: { kind: "VolumeGroupSnapshot", namespace: "n", name: "g", uid: "gu" },
      },
    });
  });
});

describe("a member of a group", () => {
  const groupContent: VolumeGroupSnapshotContent = {
    apiVersion: "groupsnapshot.storage.k8s.io/v1",
    kind: "VolumeGroupSnapshotContent",
    metadata: {
      labels: { "snapshot.storage.kubernetes.io/managed-by": "node" },
      annotations: {
        "groupsnapshot.storage.kubernetes.io/deletion-secret-name": "a",
        "groupsnapshot.storage.kubernetes.io/deletion-secret-namespace": "b",
      },
    },
    spec: { deletionPolicy: "Delete", driver: "d", source: {}, volumeGroupSnapshotRef: {} },
    status: { volumeGroupSnapshotHandle: "gh" },
  };
  const parts = { group, groupContent, info: { volumeHandle: "h", snapshotHandle: "sh", restoreSize: 5 }, volume };
  const names = memberNames("gu", "h");

  it("belongs to the group and to its claim", () => {
    expect(desiredMember(parts)).toEqual({
      metadata: {
        name: names.snapshot,
        namespace: "n",
        ownerReferences: [
          { apiVersion: "groupsnapshot.storage.k8s.io/v1", kind: "VolumeGroupSnapshot", name: "g", uid: "gu" },
        ],
        finalizers: [IN_GROUP, AS_SOURCE, BOUND],
      },
      spec: { source: { persistentVolumeClaimName: "p" } },
    });
    expect(desiredMember({ ...parts, volume: undefined }).spec.source).toEqual({ persistentVolumeClaimName: "" });
  });

  it("has a content that tells the sidecar that it is taken, with the group's secret and node", () => {
    expect(desiredMemberContent(parts, snapshot)).toMatchObject({
      metadata: {
        name: names.content,
        finalizers: [CONTENT],
        annotations: {
          "groupsnapshot.storage.k8s.io/volumeGroupSnapshotHandle": "gh",
          "snapshot.storage.kubernetes.io/deletion-secret-name": "a",
          "snapshot.storage.kubernetes.io/deletion-secret-namespace": "b",
        },
        labels: { "snapshot.storage.kubernetes.io/managed-by": "node" },
      },
      spec: { source: { volumeHandle: "h" }, sourceVolumeMode: "Block", volumeSnapshotRef: { uid: "u" } },
    });
    expect(memberStatus(parts)).toEqual({
      snapshotHandle: "sh",
      volumeGroupSnapshotHandle: "gh",
      readyToUse: false,
      restoreSize: 5,
    });
  });

  it("knows when it was taken if the driver said so", () => {
    expect(memberStatus({ ...parts, info: { ...parts.info, creationTime: 9 } })).toHaveProperty("creationTime", 9);
  });
});

describe("what a living snapshot lacks", () => {
  const withFinalizers = (...finalizers: string[]) => ({ ...snapshot, metadata: { ...snapshot.metadata, finalizers } });

  it.each([
    ["both finalizers", snapshot, "Delete", { metadata: { finalizers: [AS_SOURCE, BOUND] } }],
    ["one when its content stays", snapshot, "Retain", { metadata: { finalizers: [AS_SOURCE] } }],
    [
      "one beside those of others",
      withFinalizers("x", AS_SOURCE),
      "Delete",
      { metadata: { finalizers: ["x", AS_SOURCE, BOUND] } },
    ],
    ["none when it has them", withFinalizers(BOUND, AS_SOURCE), "Delete", undefined],
  ] as const)("is %s", (_what, given, policy, missing) => {
    expect(missingProtection(given, policy)).toEqual(missing);
  });

  it("is its class too, unless it names one", () => {
    const complete = withFinalizers(BOUND, AS_SOURCE);
    expect(missingProtection(complete, "Delete", "k")).toEqual({ spec: { volumeSnapshotClassName: "k" } });
    const named = { ...complete, spec: { ...complete.spec, volumeSnapshotClassName: "l" } };
    expect(missingProtection(named, "Delete", "k")).toBeUndefined();
  });
});

describe("a content that was written by hand", () => {
  const spec = { deletionPolicy: "Delete", driver: "d", source: { snapshotHandle: "h" } } as const;
  const content = (volumeSnapshotRef: object, more: object = {}, metadata: object = {}) =>
    ({
      apiVersion: snapshot.apiVersion,
      kind: "VolumeSnapshotContent",
      metadata,
      spec: { ...spec, volumeSnapshotRef, ...more },
    }) as const;
  const classed = { ...snapshot, spec: { ...snapshot.spec, volumeSnapshotClassName: "k" } };
  const finalizers = { metadata: { finalizers: [CONTENT] } };

  it.each([
    ["gets uid and finalizer", content({}), snapshot, { ...finalizers, spec: { volumeSnapshotRef: { uid: "u" } } }],
    [
      "gets the class",
      content({}),
      classed,
      { ...finalizers, spec: { volumeSnapshotRef: { uid: "u" }, volumeSnapshotClassName: "k" } },
    ],
    [
      "gets the class later",
      content({ uid: "u" }, {}, finalizers.metadata),
      classed,
      { spec: { volumeSnapshotClassName: "k" } },
    ],
    ["keeps its class once bound", content({ uid: "u" }, { volumeSnapshotClassName: "l" }), classed, undefined],
    ["is as it should be", content({ uid: "u" }), snapshot, undefined],
  ])("%s", (_what, given, owner, missing) => {
    expect(missingBinding(given, owner)).toEqual(missing);
  });

  it("gets the finalizer when it is bound and not on its way out", () => {
    expect(needsFinalizer(content({ uid: "u" }))).toBe(true);
    expect(needsFinalizer(content({ uid: "" }))).toBe(false);
    expect(needsFinalizer(content({ uid: "u" }, {}, finalizers.metadata))).toBe(false);
    expect(needsFinalizer(content({ uid: "u" }, {}, { deletionTimestamp: "t" }))).toBe(false);
  });

  it("is bound alike for a group", () => {
    const groupContent: VolumeGroupSnapshotContent = {
      apiVersion: group.apiVersion,
      kind: "VolumeGroupSnapshotContent",
      metadata: {},
      spec: { deletionPolicy: "Delete", driver: "d", source: {}, volumeGroupSnapshotRef: {} },
    };
    expect(missingGroupBinding(groupContent, group)).toEqual({
      metadata: { finalizers: [GROUP_CONTENT] },
      spec: { volumeGroupSnapshotRef: { uid: "gu" } },
    });
    const bound = { ...groupContent, spec: { ...groupContent.spec, volumeGroupSnapshotRef: { uid: "gu" } } };
    expect(missingGroupBinding(bound, group)).toBeUndefined();
  });
});

describe("a binding", () => {
  const metadata = { namespace: "n", name: "s", uid: "u" };

  it.each([
    { what: "fits", ref: metadata, expected: "dynamic" },
    { what: "fits by hand without a uid", ref: { namespace: "n", name: "s" }, expected: "pre-provisioned" },
    {
      what: "does not fit without a uid",
      ref: { namespace: "n", name: "s" },
      expected: "dynamic",
      problem: "misbound",
    },
    {
      what: "does not fit another's uid",
      ref: { ...metadata, uid: "x" },
      expected: "pre-provisioned",
      problem: "misbound",
    },
    { what: "does not fit another name", ref: { ...metadata, name: "x" }, expected: "dynamic", problem: "misbound" },
    {
      what: "does not fit another namespace",
      ref: { ...metadata, namespace: "x" },
      expected: "dynamic",
      problem: "misbound",
    },
  ] as const)("$what", ({ ref, expected, ...row }) => {
    const problem = "problem" in row ? row.problem : undefined;
    expect(bindingProblem({ snapshot: metadata, ref, expected, actual: expected })).toBe(problem);
  });

  it("does not fit another origin", () => {
    const facts = { snapshot: metadata, ref: metadata, expected: "dynamic", actual: "pre-provisioned" } as const;
    expect(bindingProblem(facts)).toBe("mismatch");
  });
});
