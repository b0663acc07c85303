import type { PersistentVolumeClaim, StorageClass } from "@stowage/machinery";
import { describe, expect, test } from "vitest";
import type { DriverProfile } from "../../driver/index.ts";
import { hasRoom, ownRequirement, roomRequests } from "./claim-room.ts";
import { nodeDeploymentDefaults } from "./options.ts";
import { ownNodeTopology } from "./own-node.ts";

const node = { name: "n", segments: { host: "n", zone: "a" } };
const options = { ...nodeDeploymentDefaults, node };
const cluster = ownNodeTopology(node);
const driver = (hasTopology = true, canTell = true): DriverProfile => ({
  name: "d",
  plugin: new Set(hasTopology ? ["VOLUME_ACCESSIBILITY_CONSTRAINTS"] : []),
  controller: new Set(canTell ? ["GET_CAPACITY"] : []),
  groupController: new Set(),
});
const claim = (storage = "2Gi"): PersistentVolumeClaim => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name: "c", uid: "u" },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
});
const storageClass = (...zones: string[]): StorageClass => ({
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: { name: "s" },
  provisioner: "d",
  parameters: { pool: "fast", "csi.storage.k8s.io/fstype": "xfs" },
  ...(zones.length > 0 && { allowedTopologies: [{ matchLabelExpressions: [{ key: "zone", values: zones }] }] }),
});

describe("the driver is asked", () => {
  test("for the volume that it would be told to make, on this node", () => {
    const [request, ...others] = roomRequests({ driver: driver(), cluster }, options, {
      claim: claim(),
      storageClass: storageClass(),
    });
    expect(others).toEqual([]);
    expect(request).toMatchObject({
      parameters: { pool: "fast" },
      volumeCapabilities: [{ accessType: { case: "mount", value: { fsType: "xfs" } } }],
      accessibleTopology: { segments: node.segments },
    });
    expect(request?.parameters).not.toHaveProperty("csi.storage.k8s.io/fstype");
  });

  test("for each place that the class allows", () => {
    const wanted = { claim: claim(), storageClass: storageClass("b", "a") };
    expect(roomRequests({ driver: driver(), cluster }, options, wanted)).toMatchObject([
      { accessibleTopology: { segments: { zone: "a" } } },
      { accessibleTopology: { segments: { zone: "b" } } },
    ]);
  });

  test("without a place, if it has none", () => {
    const wanted = { claim: claim(), storageClass: storageClass("b") };
    const requests = roomRequests({ driver: driver(false), cluster }, options, wanted);
    expect(requests.map(({ accessibleTopology }) => accessibleTopology)).toEqual([undefined]);
  });
});

test("a class that does not allow this node's place is not for this node", () => {
  const deps = { driver: driver(), cluster };
  const wanted = (...zones: string[]) => ({ claim: claim(), storageClass: storageClass(...zones) });
  expect(ownRequirement(deps, options, wanted("a", "c"))).toBeDefined();
  expect(() => ownRequirement(deps, options, wanted("b"))).toThrow(/is none of zone=b/);
  expect(() => ownRequirement(deps, { ...options, strictTopology: true }, wanted("b"))).toThrow(/allowedTopologies/);
});

describe("there is room", () => {
  const GIB = 1024n ** 3n;
  interface Case {
    readonly storage?: string;
    readonly free?: readonly bigint[];
    readonly profile?: DriverProfile;
    readonly zones?: readonly string[];
  }

  async function ask({ storage = "2Gi", free = [], profile = driver(), zones = [] }: Case) {
    let asked = 0;
    const getCapacity = async () => ({ availableCapacity: free[asked++] ?? -1n });
    const csi = { controller: { getCapacity } } as never;
    const { signal } = new AbortController();
    const wanted = { claim: claim(storage), storageClass: storageClass(...zones), signal };
    return { room: await hasRoom({ driver: profile, cluster, csi }, options, wanted), asked };
  }

  test.each<[string, Case, { room: boolean; asked: number }]>([
    ["when as much is free as is wanted", { free: [2n * GIB] }, { room: true, asked: 1 }],
    ["but not when less is", { free: [2n * GIB - 1n] }, { room: false, asked: 1 }],
    ["when one of several places has it", { free: [0n, 3n * GIB], zones: ["a", "b"] }, { room: true, asked: 2 }],
    ["for a claim of no size, without asking", { storage: "0" }, { room: true, asked: 0 }],
    ["when the driver cannot tell", { profile: driver(true, false) }, { room: true, asked: 0 }],
  ])("%s", async (_what, given, expected) => {
    expect(await ask(given)).toEqual(expected);
  });
});
