import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CsiError, type NodeService, serveDriver } from "@stowage/csi";
import { csiNodes, type Node, nodes, silentLogger, systemClock } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EmbeddedScene } from "../../fixtures/embedded-scene.ts";
import { NodeFactsWriter } from "./node-facts-writer.ts";
import { PluginRegistry, type PluginRegistryDeps } from "./plugin-registry.ts";

let folder: string;
let scene: EmbeddedScene;
let registry: PluginRegistry;
let writer: NodeFactsWriter;
let stack: AsyncDisposableStack;
let onAdding: (driver: string) => void;
const ref = { name: "node-1" };

beforeEach(async () => {
  stack = new AsyncDisposableStack();
  folder = mkdtempSync(join(tmpdir(), "plugins-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  scene = stack.use(await EmbeddedScene.start());
  await scene.client.create(nodes, { metadata: ref });
  writer = new NodeFactsWriter({ client: scene.client, nodeName: ref.name });
  onAdding = () => {};
  const facts: PluginRegistryDeps["facts"] = {
    async add(driver, said) {
      onAdding(driver);
      await writer.add(driver, said);
    },
    remove: (driver) => writer.remove(driver),
  };
  registry = new PluginRegistry({ folder, facts, clock: systemClock, logger: silentLogger });
  scene.run((signal) => registry.run(signal));
});

afterEach(() => stack.disposeAsync());

/** A driver as the SDK serves it, which asks to be registered. */
function served(nodeGetInfo: NodeService["nodeGetInfo"], name = "test.stowage.dev") {
  const end = new AbortController();
  const endpoint = join(folder, `.${name}`);
  const done = serveDriver(
    { name, vendorVersion: "1", node: { nodeGetInfo } as NodeService },
    {
      endpoint: `unix://${endpoint}`,
      logger: silentLogger,
      registration: { pluginRegistrationPath: folder, kubeletSocketPath: endpoint },
    },
    end.signal,
  ).catch((error: unknown) => error);
  const stop = async () => {
    end.abort();
    return await done;
  };
  stack.defer(async () => void (await stop()));
  return { done, stop };
}

const info =
  (more: object = {}) =>
  async () => ({ nodeId: "id-1", ...more });
const drivers = async () => (await scene.client.find(csiNodes, ref))?.spec.drivers;
const node = (): Promise<Node> => scene.client.get(nodes, ref);

describe("a driver that asks to be registered", () => {
  it("is written into the CSINode and the Node, and can be called", async () => {
    served(
      info({ maxVolumesPerNode: 7n, accessibleTopology: { segments: { "zone.dev/zone": "a", "zone.dev/rack": "2" } } }),
    );
    await expect.poll(drivers).toEqual([
      {
        name: "test.stowage.dev",
        nodeID: "id-1",
        topologyKeys: ["zone.dev/rack", "zone.dev/zone"],
        allocatable: { count: 7 },
      },
    ]);
    const { metadata } = await node();
    expect(metadata.labels).toMatchObject({ "zone.dev/zone": "a", "zone.dev/rack": "2" });
    expect(metadata.annotations).toEqual({ "csi.volume.kubernetes.io/nodeid": '{"test.stowage.dev":"id-1"}' });
    expect((await scene.client.get(csiNodes, ref)).metadata.ownerReferences).toEqual([
      { apiVersion: "v1", kind: "Node", name: "node-1", uid: metadata.uid },
    ]);
    expect(await registry.driver("test.stowage.dev")?.client.driverName()).toBe("test.stowage.dev");
  });

  it("stands beside others, and is forgotten when it goes", async () => {
    served(info(), "a.dev");
    const other = served(info(), "b.dev");
    await expect.poll(async () => (await drivers())?.map(({ name }) => name).toSorted()).toEqual(["a.dev", "b.dev"]);
    await other.stop();
    await expect.poll(async () => (await drivers())?.map(({ name }) => name)).toEqual(["a.dev"]);
    expect(registry.driver("b.dev")).toBeUndefined();
    await expect
      .poll(async () => (await node()).metadata.annotations)
      .toEqual({
        "csi.volume.kubernetes.io/nodeid": '{"a.dev":"id-1"}',
      });
  });

  it("can be called before anybody reads in the CSINode that it is there", async () => {
    let known: unknown = "nobody has asked";
    onAdding = (name) => {
      known = registry.driver(name)?.name;
    };
    served(info());
    await expect.poll(drivers).toHaveLength(1);
    expect(known).toBe("test.stowage.dev");
  });

  it("stays registered when the mode of its socket is set, whatever others do", async () => {
    served(info(), "a.dev");
    await expect.poll(() => registry.driver("a.dev")).toBeDefined();
    const before = registry.driver("a.dev");
    chmodSync(join(folder, "a.dev-reg.sock"), 0o660);
    served(info(), "b.dev");
    await expect.poll(async () => (await drivers())?.map(({ name }) => name)).toContain("b.dev");
    expect(registry.driver("a.dev")).toBe(before);
  });

  it("leaves nothing behind when what it says cannot be written", async () => {
    onAdding = () => {
      throw new CsiError("INTERNAL", "no place for it");
    };
    const { done } = served(info());
    expect(await done).toMatchObject({ message: expect.stringContaining("no place for it") });
    // It may have been asked once more before it was gone.
    await expect.poll(() => registry.driver("test.stowage.dev")).toBeUndefined();
  });

  it("is told why when it cannot say where it is", async () => {
    const { done } = served(async () => {
      throw new CsiError("UNAVAILABLE", "no metadata service");
    });
    expect(await done).toMatchObject({
      code: "CSI_REGISTRATION_REFUSED",
      message: expect.stringContaining("no metadata service"),
    });
    expect(await drivers()).toBeUndefined();
  });

  it("is told when it says that the node is somewhere else than it is", async () => {
    await scene.client.update(nodes, {
      ...(await node()),
      metadata: { ...(await node()).metadata, labels: { zone: "b" } },
    });
    const { done } = served(info({ accessibleTopology: { segments: { zone: "a" } } }));
    expect(await done).toMatchObject({
      message: expect.stringContaining('driver reported "zone":"a" but existing label is "zone":"b"'),
    });
  });
});

describe("a CSINode", () => {
  it("of a node that had the name before is replaced", async () => {
    await writer.ensureCsiNode();
    const first = await scene.client.get(csiNodes, ref);
    await scene.client.delete(nodes, ref);
    await scene.client.create(nodes, { metadata: ref });
    await writer.ensureCsiNode();
    const second = await scene.client.get(csiNodes, ref);
    expect(second.metadata.uid).not.toBe(first.metadata.uid);
    expect(second.metadata.ownerReferences?.[0]?.uid).toBe((await node()).metadata.uid);
  });
});
