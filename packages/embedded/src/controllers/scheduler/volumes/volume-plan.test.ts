import {
  bindingAnnotations,
  type CSIStorageCapacity,
  type PersistentVolume,
  type StorageClass,
} from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { claim, onClaim, onOwnClaim, storageClass, volume } from "../../storage/fixtures/storage-objects.ts";
import { inZone, node, pod, snapshotOf } from "../fixtures/scheduler-objects.ts";
import type { StorageView } from "./storage-view.ts";
import { podClaims } from "./volume-binding.ts";
import { conflicts, volumePlan } from "./volume-plan.ts";

const here = node("here", inZone("a"));
const reachable = (zone: string): Pick<NonNullable<PersistentVolume["spec"]>, "nodeAffinity"> => ({
  nodeAffinity: {
    required: {
      nodeSelectorTerms: [
        { matchExpressions: [{ key: "topology.kubernetes.io/zone", operator: "In", values: [zone] }] },
      ],
    },
  },
});
const sized = (name: string, storage: string, zone = "a") =>
  volume(name, { spec: { capacity: { storage }, ...reachable(zone) } });
const asking = (name: string, storage: string) => claim(name, { spec: { resources: { requests: { storage } } } });
const storageOf = (volumes: PersistentVolume[], shape: Partial<StorageClass> = {}, more: Partial<StorageView> = {}) =>
  snapshotOf([], {
    volume: (name) => volumes.find(({ metadata }) => metadata.name === name),
    volumes: () => volumes,
    storageClass: () => storageClass("fast", { volumeBindingMode: "WaitForFirstConsumer", ...shape }),
    ...more,
  }).storage;

describe("for a claim that waits for a node", () => {
  const choose = (volumes: PersistentVolume[], ...sizes: string[]) => {
    const delayed = sizes.map((size, index) => asking(`data${index}`, size));
    const plan = volumePlan({ bound: [], delayed }, here, storageOf(volumes));
    if (!("bindings" in plan)) return plan;
    const chosen = plan.bindings.map((each) => `${each.claim.metadata.name} ${each.volume.metadata.name}`);
    return [...chosen, ...plan.provisions.map(({ metadata }) => `${metadata.name} is made`)];
  };

  test.each([
    [
      "the smallest volume that is large enough is chosen",
      [sized("l", "9Gi"), sized("m", "3Gi"), sized("s", "1Gi")],
      "m",
    ],
    ["one that cannot be reached is not", [sized("s", "2Gi", "b"), sized("l", "9Gi")], "l"],
    ["one that is not available is not", [{ ...sized("s", "2Gi"), status: {} }, sized("l", "9Gi")], "l"],
  ])("%s", (_, volumes, name) => {
    expect(choose(volumes, "2Gi")).toEqual([`data0 ${name}`]);
  });

  it("one is made when there is none", () => {
    expect(choose([], "2Gi")).toEqual(["data0 is made"]);
  });

  it("no volume is chosen twice, and small claims choose first", () => {
    expect(choose([sized("l", "5Gi"), sized("s", "1Gi")], "3Gi", "1Gi")).toEqual(["data1 s", "data0 l"]);
  });
});

describe("a node has no volume for a claim", () => {
  const delayed = [asking("data", "5Gi")];
  const capacity = (size: string, zone: string): CSIStorageCapacity => ({
    apiVersion: "storage.k8s.io/v1",
    kind: "CSIStorageCapacity",
    metadata: {},
    storageClassName: "fast",
    capacity: size,
    nodeTopology: { matchLabels: { "topology.kubernetes.io/zone": zone } },
  });
  const counted = (...capacities: CSIStorageCapacity[]): Partial<StorageView> => ({
    driver: () => ({
      apiVersion: "storage.k8s.io/v1",
      kind: "CSIDriver",
      metadata: {},
      spec: { storageCapacity: true },
    }),
    capacities: () => capacities,
  });
  const allowed = (zone: string) => ({
    allowedTopologies: [{ matchLabelExpressions: [{ key: "topology.kubernetes.io/zone", values: [zone] }] }],
  });
  test.each<[string, Partial<StorageClass>, Partial<StorageView>, string | undefined]>([
    ["when nobody makes any", { provisioner: "kubernetes.io/no-provisioner" }, {}, conflicts.unbound],
    ["when it is not where they may be", allowed("b"), {}, conflicts.unbound],
    ["but it has when it is there", allowed("a"), {}, undefined],
    ["when there is not enough room", {}, counted(capacity("1Gi", "a")), conflicts.space],
    ["when there is room elsewhere", {}, counted(capacity("9Gi", "b")), conflicts.space],
    ["but it has where there is room", {}, counted(capacity("9Gi", "a")), undefined],
  ])("%s", (_, shape, more, conflict) => {
    const plan = volumePlan({ bound: [], delayed }, here, storageOf([], shape, more));
    expect(Array.isArray(plan) ? plan : []).toEqual(conflict === undefined ? [] : [conflict]);
  });

  it("when another node was chosen for it already", () => {
    const chosen = { metadata: { annotations: { "volume.kubernetes.io/selected-node": "there" } } };
    expect(volumePlan({ bound: [], delayed: [claim("data", chosen)] }, here, storageOf([]))).toEqual([
      conflicts.unbound,
    ]);
  });
});

describe("a volume that is bound", () => {
  const bound = [claim("data", { spec: { volumeName: "v" } })];
  test.each([
    ["can be reached", [sized("v", "1Gi", "a")], []],
    ["cannot be reached", [sized("v", "1Gi", "b")], [conflicts.bound]],
    ["is gone", [], [conflicts.absent]],
  ])("%s", (_, volumes, reasons) => {
    const plan = volumePlan({ bound, delayed: [] }, here, storageOf(volumes));
    expect(Array.isArray(plan) ? plan : []).toEqual(reasons);
  });
});

describe("a Pod goes nowhere", () => {
  const complete = { annotations: { [bindingAnnotations.bindCompleted]: "yes" } };
  const reasonWith = (
    found: ReturnType<typeof claim> | undefined,
    mode: StorageClass["volumeBindingMode"],
    own = false,
  ) => {
    const volumes = [own ? onOwnClaim("data") : onClaim("data")];
    const storage = storageOf([], { volumeBindingMode: mode }, { claim: () => found });
    const claims = podClaims(pod("user", { volumes }), storage);
    return typeof claims === "string" ? claims : undefined;
  };
  test.each([
    ["without its claim", undefined, 'persistentvolumeclaim "data" not found'],
    ["before its claim is bound", claim("data"), "pod has unbound immediate PersistentVolumeClaims"],
    [
      "when its claim is going",
      claim("data", { metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } }),
      'persistentvolumeclaim "data" is being deleted',
    ],
    [
      "when its volume is lost",
      claim("data", { spec: { volumeName: "v" }, status: { phase: "Lost" } }),
      'persistentvolumeclaim "data" bound to non-existent persistentvolume "v"',
    ],
  ])("%s", (_, found, reason) => {
    expect(reasonWith(found, "Immediate")).toBe(reason);
  });

  it("but may wait for a node with a claim that waits, and have one that is bound", () => {
    expect(reasonWith(claim("data"), "WaitForFirstConsumer")).toBeUndefined();
    expect(reasonWith(claim("data", { metadata: complete, spec: { volumeName: "v" } }), "Immediate")).toBeUndefined();
  });

  it("with a claim that only looks as if it were made for it", () => {
    expect(reasonWith(undefined, "Immediate", true)).toContain("waiting for ephemeral volume controller");
    expect(reasonWith(claim("user-data"), "Immediate", true)).toContain("pod is not owner");
  });
});
