import { createClient, createTransport, isInvalid, type KubeClient, loadKubeconfig } from "@stowage/kube";
import {
  customResourceDefinitions,
  type KubernetesObject,
  type ResourceType,
  randomSuffix,
  type VolumeGroupSnapshotContent,
  type VolumeSnapshotContent,
  volumeGroupSnapshotClasses,
  volumeGroupSnapshotContents,
  volumeGroupSnapshots,
  volumeSnapshotContents,
  volumeSnapshots,
} from "@stowage/machinery";
import { snapshotCrds } from "@stowage/sidecars";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { ensureSnapshotCrds } from "./snapshot-crds.ts";

let client: KubeClient;
let close: () => void;
const prefix = `crds-${randomSuffix(Math.random)}`;
const namespace = "default";

beforeAll(async () => {
  const transport = createTransport(await loadKubeconfig({ path: inject("kubeconfig"), env: {}, homeDir: "/" }));
  client = createClient({ transport });
  close = () => transport.close();
  await ensureSnapshotCrds(client);
});

afterAll(() => close());

const content: VolumeSnapshotContent["spec"] = {
  deletionPolicy: "Delete",
  driver: "nobody.csi.test",
  source: { volumeHandle: "v" },
  sourceVolumeMode: "Filesystem",
  volumeSnapshotRef: { namespace, name: "s" },
};

const groupContent: VolumeGroupSnapshotContent["spec"] = {
  deletionPolicy: "Delete",
  driver: "nobody.csi.test",
  source: { volumeHandles: ["v", "w"] },
  volumeGroupSnapshotClassName: "c",
  volumeGroupSnapshotRef: { namespace, name: "g", uid: "u" },
};

const classBody = { driver: "nobody.csi.test", deletionPolicy: "Delete", parameters: { a: "b" } };

interface Change {
  readonly what: string;
  readonly type: ResourceType;
  readonly body: object;
  readonly change: object;
  readonly message: RegExp;
}

/** What is made, what is changed about it, and what the server says to that. */
const changes: readonly Change[] = [
  {
    what: "the claim",
    type: volumeSnapshots,
    body: { spec: { source: { persistentVolumeClaimName: "c" } } },
    change: { spec: { source: { persistentVolumeClaimName: "d" } } },
    message: /persistentVolumeClaimName is immutable/u,
  },
  {
    what: "the origin",
    type: volumeSnapshots,
    body: { spec: { source: { persistentVolumeClaimName: "c" } } },
    change: { spec: { source: { persistentVolumeClaimName: null, volumeSnapshotContentName: "x" } } },
    message: /persistentVolumeClaimName is required once set/u,
  },
  {
    what: "the content",
    type: volumeSnapshots,
    body: { spec: { source: { volumeSnapshotContentName: "c" } } },
    change: { spec: { source: { volumeSnapshotContentName: "d" } } },
    message: /volumeSnapshotContentName is immutable/u,
  },
  {
    what: "the volume",
    type: volumeSnapshotContents,
    body: { spec: content },
    change: { spec: { source: { volumeHandle: "w" } } },
    message: /volumeHandle is immutable/u,
  },
  {
    what: "the volume mode",
    type: volumeSnapshotContents,
    body: { spec: content },
    change: { spec: { sourceVolumeMode: "Block" } },
    message: /sourceVolumeMode is immutable/u,
  },
  {
    what: "that there is a volume mode",
    type: volumeSnapshotContents,
    body: { spec: content },
    change: { spec: { sourceVolumeMode: null } },
    message: /sourceVolumeMode is required once set/u,
  },
  {
    what: "the snapshot's id",
    type: volumeSnapshotContents,
    body: { spec: { ...content, source: { snapshotHandle: "s" } } },
    change: { spec: { source: { snapshotHandle: "t" } } },
    message: /snapshotHandle is immutable/u,
  },
  {
    what: "the labels",
    type: volumeGroupSnapshots,
    body: { spec: { source: { selector: { matchLabels: { a: "b" } } } } },
    change: { spec: { source: { selector: { matchLabels: { a: "c" } } } } },
    message: /selector is immutable/u,
  },
  {
    what: "the volumes",
    type: volumeGroupSnapshotContents,
    body: { spec: groupContent },
    change: { spec: { source: { volumeHandles: ["v"] } } },
    message: /volumeHandles is immutable/u,
  },
  {
    what: "the driver",
    type: volumeGroupSnapshotContents,
    body: { spec: groupContent },
    change: { spec: { driver: "other.csi.test" } },
    message: /driver is immutable once set/u,
  },
  {
    what: "the group that it is bound to",
    type: volumeGroupSnapshotContents,
    body: { spec: groupContent },
    change: { spec: { volumeGroupSnapshotRef: { uid: "v" } } },
    message: /volumeGroupSnapshotRef.uid is immutable once set/u,
  },
  {
    what: "a class's parameters",
    type: volumeGroupSnapshotClasses,
    body: classBody,
    change: { parameters: { a: "c" } },
    message: /parameters are immutable once set/u,
  },
  {
    what: "a class's policy",
    type: volumeGroupSnapshotClasses,
    body: classBody,
    change: { deletionPolicy: "Retain" },
    message: /deletionPolicy is immutable once set/u,
  },
];

const refusals: readonly [string, ResourceType, object, RegExp][] = [
  ["a snapshot of nothing", volumeSnapshots, { spec: { source: {} } }, /exactly one of persistentVolumeClaimName and/u],
  [
    "a snapshot of two things",
    volumeSnapshots,
    { spec: { source: { persistentVolumeClaimName: "c", volumeSnapshotContentName: "d" } } },
    /exactly one of persistentVolumeClaimName and/u,
  ],
  [
    "an empty class",
    volumeSnapshots,
    { spec: { source: { persistentVolumeClaimName: "c" }, volumeSnapshotClassName: "" } },
    /must not be the empty string/u,
  ],
  [
    "a content of nobody",
    volumeSnapshotContents,
    { spec: { ...content, volumeSnapshotRef: { name: "s" } } },
    /both spec.volumeSnapshotRef.name and/u,
  ],
  [
    "a content of nothing",
    volumeSnapshotContents,
    { spec: { ...content, source: {} } },
    /exactly one of volumeHandle and snapshotHandle/u,
  ],
  ["an unknown policy", volumeSnapshotContents, { spec: { ...content, deletionPolicy: "Keep" } }, /Unsupported value/u],
  ["a group of nothing", volumeGroupSnapshots, { spec: { source: {} } }, /exactly one of selector and/u],
];

function named(type: ResourceType, name: string, body: object): KubernetesObject {
  const metadata = { name: `${prefix}-${name}`, ...(type.namespaced && { namespace }) };
  return { ...body, metadata } as unknown as KubernetesObject;
}

describe("the shipped CRDs", () => {
  it("are all established, with their names and short names accepted", async () => {
    for (const { metadata, spec } of snapshotCrds) {
      const { status } = await client.get(customResourceDefinitions, { name: metadata.name ?? "" });
      expect(status?.conditions).toContainEqual(expect.objectContaining({ type: "Established", status: "True" }));
      expect(status?.conditions).not.toContainEqual(expect.objectContaining({ type: "NonStructuralSchema" }));
      expect(status?.acceptedNames).toEqual(spec.names);
      expect(status?.storedVersions).toEqual(["v1"]);
    }
  });

  it("may be installed again", async () => {
    await ensureSnapshotCrds(client);
  });

  it.each(changes)("keep $what as it is", async ({ type, body, change, message }) => {
    const made = await client.create(type, named(type, `kept-${randomSuffix(Math.random)}`, body));
    const ref = { namespace: made.metadata.namespace, name: made.metadata.name ?? "" };
    const error = await client.patch(type, ref, { type: "merge", patch: change }).catch((thrown: unknown) => thrown);
    await client.delete(type, ref);
    expect(isInvalid(error)).toBe(true);
    expect(String(error)).toMatch(message);
  });

  it.each(refusals)("refuse %s", async (_what, type, body, message) => {
    const error = await client.create(type, named(type, "refused", body)).catch((thrown: unknown) => thrown);
    expect(isInvalid(error)).toBe(true);
    expect(String(error)).toMatch(message);
  });

  it("keep every field that the sidecars write", async () => {
    const made = await client.create(volumeSnapshotContents, { metadata: { name: `${prefix}-fields` }, spec: content });
    const ref = { name: made.metadata.name ?? "" };
    const status = {
      snapshotHandle: "s",
      readyToUse: false,
      restoreSize: 1,
      creationTime: 1_794_748_081_420_000_000,
      volumeGroupSnapshotHandle: "g",
      error: { message: "m", time: "2026-01-31T15:04:05Z" },
    };
    const patch = { type: "merge", patch: { status } } as const;
    const written = await client.patch(volumeSnapshotContents, ref, patch, { subresource: "status" });
    await client.delete(volumeSnapshotContents, ref);
    expect(written.status).toEqual(status);
    expect(written.spec).toEqual(content);
  });
});
