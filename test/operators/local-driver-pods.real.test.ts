// needs: cli sidecar
import { readdirSync } from "node:fs";
import {
  type CSIStorageCapacity,
  csiStorageCapacities,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  volumeSnapshots,
} from "@stowage/machinery";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { StowageProcess } from "../sidecars/sidecar-chaos/stowage-process.ts";
import { type LocalNodes, startLocalNodes, topologyKey } from "./local-driver/local-nodes.ts";

// The local driver as its operator deploys it, on two nodes: what each of them is given is enough, and is its own.

const soon = { timeout: 60_000, interval: 100 };
const namespace = "default";
/** The claim, its node, and the other one. */
const placed = [
  ["first", "node-a", "node-b"],
  ["second", "node-b", "node-a"],
] as const;

let world: LocalNodes;

beforeAll(async () => {
  world = await startLocalNodes(["node-a", "node-b"]);
  await vi.waitFor(async () => expect(await capacities(), world.said()).toHaveLength(2), { ...soon, timeout: 120_000 });
});
afterAll(() => world?.[Symbol.asyncDispose]());

/** One for each node, as soon as its sidecars are at work. */
async function capacities(): Promise<CSIStorageCapacity[]> {
  return (await world.client.list(csiStorageCapacities, { namespace: world.namespace })).items;
}

const claim = (name: string) => world.client.get(persistentVolumeClaims, { namespace, name });

async function createClaim(name: string, node: string): Promise<void> {
  await world.client.create(persistentVolumeClaims, {
    metadata: { namespace, name, annotations: { "volume.kubernetes.io/selected-node": node } },
    spec: {
      storageClassName: "stowage-local",
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1Gi" } },
    },
  });
}

async function volumeOf({ spec }: PersistentVolumeClaim): Promise<PersistentVolume> {
  return world.client.get(persistentVolumes, { name: spec?.volumeName ?? "" });
}

async function boundVolume(name: string): Promise<PersistentVolume> {
  return vi.waitFor(async () => {
    const found = await claim(name);
    expect(found.status?.phase, world.said()).toBe("Bound");
    return volumeOf(found);
  }, soon);
}

/** Whether the node has the volume on its disk. */
function isOnDisk(node: string, { spec }: PersistentVolume): boolean {
  const handle = spec?.csi?.volumeHandle ?? "none";
  return readdirSync(world.stateDir(node), { recursive: true }).some((path) => String(path).includes(handle));
}

describe("the local driver on two nodes", () => {
  it("makes each volume on the node that was chosen for it", async () => {
    for (const [name, node] of placed) await createClaim(name, node);
    for (const [name, node, other] of placed) {
      const volume = await boundVolume(name);
      expect([isOnDisk(node, volume), isOnDisk(other, volume)]).toEqual([true, false]);
      expect(volume.spec?.nodeAffinity?.required?.nodeSelectorTerms).toEqual([
        { matchExpressions: [{ key: topologyKey, operator: "In", values: [node] }] },
      ]);
    }
  });

  it("tells the scheduler how much room each node has", async () => {
    const items = await capacities();
    const places = items.map(({ nodeTopology }) => nodeTopology?.matchLabels?.[topologyKey]);
    expect(new Set(places)).toEqual(new Set(["node-a", "node-b"]));
    const owners = items.flatMap(({ metadata }) => metadata.ownerReferences?.map(({ kind }) => kind));
    expect(owners).toEqual(["DaemonSet", "DaemonSet"]);
  });

  it("grows a volume on its node, and the other node does not interfere", async () => {
    const patch = { spec: { resources: { requests: { storage: "2Gi" } } } };
    await world.client.patch(persistentVolumeClaims, { namespace, name: "first" }, { type: "merge", patch });
    await vi.waitFor(async () => {
      expect((await claim("first")).status?.capacity?.storage).toBe("2Gi");
    }, soon);
    const { status } = await claim("first");
    expect(status?.conditions ?? []).toEqual([]);
    expect(status?.allocatedResourceStatuses ?? {}).toEqual({});
  });

  it("takes a snapshot where the volume is", async () => {
    const controller = new StowageProcess([
      "sidecar",
      "snapshot-controller",
      `--kubeconfig=${world.kubeconfigPath}`,
      "--enable-distributed-snapshotting",
    ]);
    try {
      await world.client.create(volumeSnapshots, {
        metadata: { namespace, name: "second" },
        spec: { volumeSnapshotClassName: "stowage-local", source: { persistentVolumeClaimName: "second" } },
      });
      await vi.waitFor(async () => {
        const { status } = await world.client.get(volumeSnapshots, { namespace, name: "second" });
        expect(status?.readyToUse, `${controller.said}${world.said()}`).toBe(true);
      }, soon);
      await world.client.delete(volumeSnapshots, { namespace, name: "second" });
      await vi.waitFor(async () => {
        expect(await world.client.find(volumeSnapshots, { namespace, name: "second" })).toBeUndefined();
      }, soon);
    } finally {
      await controller.stop("SIGTERM");
    }
  });

  it("deletes volumes with their claims", async () => {
    const names = [(await boundVolume("first")).metadata.name, (await boundVolume("second")).metadata.name];
    for (const name of ["first", "second"]) await world.client.delete(persistentVolumeClaims, { namespace, name });
    await vi.waitFor(async () => {
      const { items } = await world.client.list(persistentVolumes);
      expect(items.filter(({ metadata }) => names.includes(metadata.name))).toEqual([]);
    }, soon);
  });

  it("never asked for anything that it may not have", () => {
    expect(world.said()).not.toMatch(/forbidden|"reason":"Forbidden"/u);
  });
});
