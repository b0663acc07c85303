import type { CSINode, PersistentVolumeClaim, VolumeAttachment } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { claim, onClaim, storageClass, volume } from "../../storage/fixtures/storage-objects.ts";
import { inZone, pod, snapshotOf, state } from "../fixtures/scheduler-objects.ts";
import type { NodeState } from "../snapshot/node-state.ts";
import type { StorageView } from "../volumes/storage-view.ts";
import { nodeVolumeLimits, volumeRestrictions, volumeZone } from "./volume-filters.ts";

const user = (name: string, ...claims: string[]) => pod(name, { volumes: claims.map(onClaim) });
const claimed = (...claims: PersistentVolumeClaim[]): Partial<StorageView> => ({
  claim: (_, name) => claims.find(({ metadata }) => metadata.name === name),
});

describe("a claim for one Pod alone", () => {
  const own = claimed(claim("data", { spec: { accessModes: ["ReadWriteOncePod"] } }));
  const refusal = (nodes: NodeState[]) =>
    volumeRestrictions.prepare(user("new", "data"), snapshotOf(nodes, own))?.check?.(state("one"));

  it("is free while nobody uses it", () => {
    expect(refusal([state("one", { pods: [user("old", "other")] })])).toBeUndefined();
  });

  it("is taken on every node once somebody does, who may go", () => {
    expect(refusal([state("one"), state("two", { pods: [user("old", "data")] })])).toMatchObject({ isFinal: false });
  });
});

describe("a node that takes two volumes of a driver", () => {
  const limit = (count: number): CSINode => ({
    apiVersion: "storage.k8s.io/v1",
    kind: "CSINode",
    metadata: { name: "one" },
    spec: { drivers: [{ name: "csi.example.org", nodeID: "one", allocatable: { count } }] },
  });
  const bound = (name: string) => claim(name, { spec: { volumeName: name } });
  const attachment = (name: string): VolumeAttachment => ({
    apiVersion: "storage.k8s.io/v1",
    kind: "VolumeAttachment",
    metadata: { name: `attached-${name}` },
    spec: { attacher: "csi.example.org", nodeName: "one", source: { persistentVolumeName: name } },
  });
  const storage: Partial<StorageView> = {
    ...claimed(bound("a"), bound("b"), bound("c"), claim("unbound")),
    volume: (name) => (name === "" ? undefined : volume(name)),
    storageClass: () => storageClass("fast"),
    csiNode: () => limit(2),
  };
  interface There {
    readonly used: readonly string[];
    readonly attached?: readonly string[];
  }
  test.each<[string, There, string, boolean]>([
    ["takes a second", { used: ["a"] }, "b", false],
    ["takes no third", { used: ["a", "b"] }, "c", true],
    ["takes no third that is still to be made", { used: ["a", "b"] }, "unbound", true],
    ["takes one again that it has", { used: ["a", "b"] }, "a", false],
    ["counts those that are still attached", { used: ["a"], attached: ["b"] }, "c", true],
    ["counts none twice", { used: ["a"], attached: ["a"] }, "b", false],
  ])("%s", (_, { used, attached = [] }, wanted, isRefused) => {
    const pods = used.map((name) => user(`user-of-${name}`, name));
    const there = state("one", { pods });
    const view = { ...storage, attachmentsOn: () => attached.map(attachment) };
    const refusal = nodeVolumeLimits.prepare(user("new", wanted), snapshotOf([there], view))?.check?.(there);
    expect(refusal?.reasons).toEqual(isRefused ? ["node(s) exceed max volume count"] : undefined);
  });
});

describe("a volume with the label of a zone", () => {
  const labelled = (zone: string) => ({
    ...claimed(claim("data", { spec: { volumeName: "v" } })),
    volume: () => volume("v", { metadata: { labels: { "topology.kubernetes.io/zone": zone } } }),
  });
  test.each([
    ["is right for a node in it", "a", state("one", inZone("a")), true],
    ["is right for a node in one of several", "a__b", state("one", inZone("b")), true],
    ["is wrong for a node in another", "a", state("one", inZone("b")), false],
    ["is right for a node in none", "a", state("one"), true],
  ])("%s", (_, zone, there, isRight) => {
    const prepared = volumeZone.prepare(user("new", "data"), snapshotOf([there], labelled(zone)));
    expect(prepared?.check?.(there) === undefined).toBe(isRight);
  });
});
