import {
  configMaps,
  csiDrivers,
  csiStorageCapacities,
  deployments,
  persistentVolumeClaims,
  pods,
} from "@stowage/machinery";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { capacityRules } from "../../packages/sidecars/src/provisioner/capacity/index.ts";
import { CapacityBench, SOON } from "./capacity-bench.ts";

const GIB = 1024n ** 3n;
const ZONE = "topology.capacity.test/zone";
const SELECTED_NODE = "volume.kubernetes.io/selected-node";
const inA = { [ZONE]: "a" };
const inB = { [ZONE]: "b" };

describe("for a driver with topology", () => {
  let bench: CapacityBench;

  beforeAll(async () => {
    bench = await CapacityBench.create({
      driver: { topology: inA, capacityBytes: 100n * GIB, maxVolumeBytes: 10n * GIB },
    });
    await bench.nodes.add("node-1", { labels: inA, keys: [ZONE] });
    await bench.nodes.add("node-2", { labels: inB, keys: [ZONE] });
    await bench.nodes.add("node-3", { labels: inB, keys: [ZONE] });
    await bench.start();
  });

  afterAll(() => bench[Symbol.asyncDispose]());

  it("makes one object for each class and place, with the driver's figures and its own labels", async () => {
    const name = await bench.addClass();
    const [object] = await bench.placesBecome(name, inA, inB);
    expect(object).toMatchObject({ capacity: "100Gi", maximumVolumeSize: "10Gi", storageClassName: name });
    expect(object?.metadata.name).toMatch(/^csisc-/);
    expect(object?.metadata.labels).toEqual({
      "csi.storage.k8s.io/drivername": bench.bench.driverName,
      "csi.storage.k8s.io/managed-by": "external-provisioner",
    });
    await bench.deleteClass(name);
    await bench.placesBecome(name);
  });

  it("asks the driver for the class's parameters, without those that are Kubernetes' own", async () => {
    bench.bench.driver.clearCalls();
    const name = await bench.addClass({ parameters: { type: "fast", "csi.storage.k8s.io/fstype": "xfs" } });
    await bench.placesBecome(name, inA, inB);
    const requests = bench.bench.driver.calls("GetCapacity").map(({ request }) => JSON.stringify(request));
    expect(requests).toHaveLength(2);
    for (const request of requests) {
      expect(request).toContain('"type":"fast"');
      expect(request).not.toContain("fstype");
    }
    await bench.deleteClass(name);
    await bench.placesBecome(name);
  });

  it("has none for classes that bind at once, nor for those of other drivers", async () => {
    const immediate = await bench.addClass({ volumeBindingMode: "Immediate" });
    const foreign = await bench.addClass({ provisioner: "other.csi.test" });
    const name = await bench.addClass();
    await bench.placesBecome(name, inA, inB);
    expect(await bench.objects(immediate)).toEqual([]);
    expect(await bench.objects(foreign)).toEqual([]);
    await bench.deleteClass(name);
    await bench.placesBecome(name);
  });

  it("follows nodes: new places, places that go, and labels that come late", async () => {
    const name = await bench.addClass();
    await bench.placesBecome(name, inA, inB);
    await bench.nodes.add("node-4", { labels: {}, keys: [ZONE] });
    await bench.nodes.setLabels("node-4", { [ZONE]: "c" });
    await bench.placesBecome(name, inA, inB, { [ZONE]: "c" });
    await bench.nodes.unregister("node-4");
    await bench.placesBecome(name, inA, inB);
    await bench.deleteClass(name);
    await bench.placesBecome(name);
  });

  it("updates the places of a volume that was made or deleted, and writes nothing else", async () => {
    const name = await bench.addClass();
    const before = await bench.placesBecome(name, inA, inB);
    const id = await bench.makeVolume("somewhere", 5n * GIB);
    bench.requests.length = 0;
    bench.bench.driver.clearCalls();
    bench.controller?.onCapacityChanged(name, [{ segments: inB }]);
    await vi.waitFor(async () => {
      const objects = await bench.objects(name);
      expect(objects.map(({ nodeTopology, capacity }) => [nodeTopology?.matchLabels?.[ZONE], capacity])).toEqual(
        before.map(({ nodeTopology }) => {
          const zone = nodeTopology?.matchLabels?.[ZONE];
          return [zone, zone === "b" ? "95Gi" : "100Gi"];
        }),
      );
    }, SOON);
    expect(bench.requests).toEqual(["patch csistoragecapacities"]);
    expect(bench.bench.driver.calls("GetCapacity")).toHaveLength(1);

    // Where it can be reached from is not known: the class's.
    bench.controller?.onCapacityChanged(name);
    await bench.capacityBecomes(name, "95Gi");
    await bench.bench.deps.csi.controller.deleteVolume({ volumeId: id });
    bench.controller?.onCapacityChanged(name, []);
    await bench.capacityBecomes(name, "100Gi");
    await bench.deleteClass(name);
    await bench.placesBecome(name);
  });

  it("makes anew what somebody deletes, and deletes what it does not need", async () => {
    const name = await bench.addClass();
    const [object, kept] = await bench.placesBecome(name, inA, inB);
    const { client, namespace } = bench.bench;
    await client.delete(csiStorageCapacities, { namespace, name: object?.metadata.name ?? "" });
    await vi.waitFor(async () => {
      const names = (await bench.objects(name)).map(({ metadata }) => metadata.name);
      expect(names).toHaveLength(2);
      expect(names).not.toContain(object?.metadata.name);
    }, SOON);

    const labels = kept?.metadata.labels;
    const spare = { storageClassName: name, capacity: "1Gi" };
    await client.create(csiStorageCapacities, {
      metadata: { namespace, name: "second", labels },
      nodeTopology: kept?.nodeTopology,
      ...spare,
    });
    await client.create(csiStorageCapacities, {
      metadata: { namespace, name: "nowhere", labels },
      nodeTopology: { matchLabels: { [ZONE]: "gone" } },
      ...spare,
    });
    await client.create(csiStorageCapacities, { metadata: { namespace, name: "placeless", labels }, ...spare });
    const objects = await bench.placesBecome(name, inA, inB);
    expect(objects.map(({ metadata }) => metadata.name)).toContain(kept?.metadata.name);

    // Not its own, by the labels.
    await client.create(csiStorageCapacities, { metadata: { namespace, name: "foreign" }, ...spare });
    await bench.deleteClass(name);
    await vi.waitFor(async () => {
      expect((await bench.objects(name)).map(({ metadata }) => metadata.name)).toEqual(["foreign"]);
    }, SOON);
  });

  it("tries again while the driver cannot tell", async () => {
    bench.bench.driver.addFault({ method: "GetCapacity", kind: "fail", code: "UNAVAILABLE", times: 3 });
    const name = await bench.addClass();
    await bench.placesBecome(name, inA, inB);
    await bench.deleteClass(name);
    await bench.placesBecome(name);
  });

  it("counts its objects as the original does", async () => {
    const name = await bench.addClass();
    await bench.placesBecome(name, inA, inB);
    await vi.waitFor(async () => {
      expect(await bench.gauges()).toEqual({
        csistoragecapacities_desired_goal: 2,
        csistoragecapacities_desired_current: 2,
        csistoragecapacities_obsolete: 0,
      });
    }, SOON);
    await bench.deleteClass(name);
    await bench.placesBecome(name);
  });

  it("takes over what it finds when it starts, and polls without writing", async () => {
    const name = await bench.addClass();
    const before = await bench.placesBecome(name, inA, inB);
    const versions = (objects: typeof before) =>
      objects.map(({ metadata }) => [metadata.uid, metadata.resourceVersion]);
    bench.requests.length = 0;
    bench.bench.driver.clearCalls();
    await bench.start({ pollIntervalMs: 100 });
    await vi.waitFor(() => expect(bench.bench.driver.calls("GetCapacity").length).toBeGreaterThan(8), SOON);
    expect(versions(await bench.objects(name))).toEqual(versions(before));
    expect(bench.requests).toEqual([]);

    const id = await bench.makeVolume("unannounced", 1n * GIB);
    await bench.capacityBecomes(name, "99Gi");
    await bench.bench.deps.csi.controller.deleteVolume({ volumeId: id });
    await bench.deleteClass(name);
    await bench.placesBecome(name);
    await bench.start();
  });

  it("deletes what became obsolete while it did not run", async () => {
    const name = await bench.addClass();
    await bench.placesBecome(name, inA, inB);
    await bench.bench.stopSidecars();
    await bench.deleteClass(name);
    await bench.start();
    await bench.placesBecome(name);
  });

  it("covers classes that bind at once when asked to", async () => {
    await bench.start({ forImmediateBinding: true });
    const name = await bench.addClass({ volumeBindingMode: "Immediate" });
    await bench.placesBecome(name, inA, inB);
    await bench.deleteClass(name);
    await bench.placesBecome(name);
  });
});

describe("the owner of the objects", () => {
  let bench: CapacityBench;

  beforeAll(async () => {
    bench = await CapacityBench.create({ driver: { capacityBytes: GIB } });
    await bench.nodes.add("node-1", { labels: {}, keys: [] });
  });

  afterAll(() => bench[Symbol.asyncDispose]());

  const podSpec = { containers: [{ name: "driver", image: "none" }] };

  it("is the controller of the Pod, at whose end they go", async () => {
    const { client, namespace } = bench.bench;
    const owner = await client.create(configMaps, { metadata: { namespace, name: "owner" } });
    const reference = { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: owner.metadata.uid ?? "" };
    await client.create(pods, {
      metadata: { namespace, name: "driver", ownerReferences: [{ ...reference, controller: true }] },
      spec: podSpec,
    });
    const name = await bench.addClass();
    await bench.start({ podName: "driver", ownerLevel: 1 });
    const [object] = await bench.placesBecome(name, {});
    expect(object?.metadata.ownerReferences).toEqual([{ ...reference, controller: true }]);
    await bench.bench.stopSidecars();
    await client.delete(configMaps, { namespace, name: "owner" }, { propagationPolicy: "Background" });
    await bench.placesBecome(name);
  });

  it("is the Deployment two levels up, and joins the owners of objects that exist", async () => {
    const { client, namespace } = bench.bench;
    const app = await client.create(deployments, {
      metadata: { namespace, name: "app" },
      spec: {
        selector: { matchLabels: { app: "app" } },
        template: { metadata: { labels: { app: "app" } }, spec: podSpec },
      },
    });
    const podName = await vi.waitFor(async () => {
      const { items } = await client.list(pods, { namespace, labelSelector: "app=app" });
      expect(items).toHaveLength(1);
      return items[0]?.metadata.name;
    }, SOON);
    const name = await bench.addClass();
    await bench.start({ ownerLevel: -1 });
    const [unowned] = await bench.placesBecome(name, {});
    expect(unowned?.metadata.ownerReferences).toBeUndefined();
    await bench.start({ podName, ownerLevel: 2 });
    await vi.waitFor(async () => {
      const [object] = await bench.objects(name);
      expect(object?.metadata.uid).toBe(unowned?.metadata.uid);
      expect(object?.metadata.ownerReferences).toEqual([
        { apiVersion: "apps/v1", kind: "Deployment", name: "app", uid: app.metadata.uid, controller: true },
      ]);
    }, SOON);
  });
});

interface NodeWish {
  readonly storage: string;
  readonly nodeSelector?: Record<string, string>;
}

describe("on each node", () => {
  it("has the scheduler put a Pod where its volume fits", async () => {
    const HOST = "topology.capacity.test/host";
    const name = `steering-${Date.now()}.csi.test`;
    const onNode = (node: string, capacityBytes: bigint) =>
      CapacityBench.create({
        driver: { name, topology: { [HOST]: node }, capacityBytes },
        rules: [capacityRules],
        ownNode: { name: node, segments: { [HOST]: node } },
      });
    await using small = await onNode("small", 1n * GIB);
    await using large = await onNode("large", 100n * GIB);
    const { client, namespace } = large.bench;
    await client.create(csiDrivers, { metadata: { name }, spec: { storageCapacity: true, attachRequired: false } });
    // The node with less storage has more processors, so the scheduler prefers it wherever the volume fits.
    await small.nodes.addReady("small", { labels: { [HOST]: "small" }, keys: [HOST], cpu: "64" });
    await large.nodes.addReady("large", { labels: { [HOST]: "large" }, keys: [HOST], cpu: "1" });
    const storageClassName = await large.addClass();
    await Promise.all([small.start(), large.start()]);
    await small.placesBecome(storageClassName, { [HOST]: "small" });
    await large.placesBecome(storageClassName, { [HOST]: "large" });
    const nodeFor = async (name: string, { storage, nodeSelector = {} }: NodeWish) => {
      const metadata = { namespace, name };
      await client.create(persistentVolumeClaims, {
        metadata,
        spec: { storageClassName, accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
      });
      await client.create(pods, {
        metadata,
        spec: {
          nodeSelector,
          containers: [{ name: "pod", image: "none", resources: { requests: { cpu: "500m" } } }],
          volumes: [{ name: "data", persistentVolumeClaim: { claimName: metadata.name } }],
        },
      });
      return vi.waitFor(async () => {
        const node = (await client.get(persistentVolumeClaims, metadata)).metadata.annotations?.[SELECTED_NODE];
        expect(node).toBeDefined();
        return node;
      }, SOON);
    };
    // Once a Pod that may run nowhere else has been put there, the scheduler has heard of the smaller node's storage.
    const pinned = { storage: "1Gi", nodeSelector: { [HOST]: "small" } };
    expect(await nodeFor("pinned", pinned)).toBe(small.nodes.nameOf("small"));
    expect(await nodeFor("fits-both", { storage: "1Gi" })).toBe(small.nodes.nameOf("small"));
    expect(await nodeFor("fits-one", { storage: "10Gi" })).toBe(large.nodes.nameOf("large"));
    await client.delete(csiDrivers, { name });
  });

  it("keeps one object for each class, its own, without a right to read nodes", async () => {
    await using bench = await CapacityBench.create({
      driver: { topology: inA, capacityBytes: GIB },
      rules: [capacityRules],
      ownNode: { name: "node-7", segments: inA },
    });
    const name = await bench.addClass();
    const { client, namespace } = bench.bench;
    const labels = {
      "csi.storage.k8s.io/drivername": bench.bench.driverName,
      "csi.storage.k8s.io/managed-by": "external-provisioner-node-8",
    };
    const ofAnotherNode = { metadata: { namespace, name: "another", labels }, nodeTopology: { matchLabels: inB } };
    await client.create(csiStorageCapacities, { ...ofAnotherNode, storageClassName: name });
    await bench.start();
    const objects = await bench.placesBecome(name, inA, inB);
    const own = objects.find(({ metadata }) => metadata.name !== "another");
    expect(own?.metadata.labels?.["csi.storage.k8s.io/managed-by"]).toBe("external-provisioner-node-7");
  });
});
