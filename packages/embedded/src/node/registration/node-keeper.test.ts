import { leases, nodes, silentLogger } from "@stowage/machinery";
import { ManualClock, settled } from "@stowage/machinery/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EmbeddedScene } from "../../fixtures/embedded-scene.ts";
import { readMachineFacts } from "./machine-facts.ts";
import { NodeKeeper } from "./node-keeper.ts";
import type { AgentFacts } from "./node-object.ts";

const ref = { name: "node-1" };
const leaseRef = { ...ref, namespace: "kube-node-lease" };
const agent: AgentFacts = {
  name: "node-1",
  addresses: ["127.0.0.2"],
  port: 10250,
  version: "v1.36.3",
  labels: { "topology.kubernetes.io/zone": "a" },
  providerId: "local://node-1",
};

let scene: EmbeddedScene;
let clock: ManualClock;
let notReady: string | undefined;
let keeper: NodeKeeper;

// Read once: the size of some file systems changes with what is on them, and that would be news.
const machine = readMachineFacts("/");

beforeEach(async () => {
  scene = await EmbeddedScene.start();
  clock = new ManualClock();
  notReady = undefined;
  keeper = new NodeKeeper({
    client: scene.client,
    agent,
    clock,
    logger: silentLogger,
    readMachine: () => machine,
    notReady: () => notReady,
  });
});
afterEach(() => scene[Symbol.asyncDispose]());

const node = () => scene.client.get(nodes, ref);
const ready = async () => (await node()).status?.conditions?.find(({ type }) => type === "Ready");
const version = async () => (await node()).metadata.resourceVersion;

/** One turn of the keeper, and what it writes. */
async function turn(): Promise<void> {
  await settled();
  await clock.advance(10_000);
}

describe("the node", () => {
  it("is registered with what it is", async () => {
    await keeper.register();
    const { metadata, spec, status } = await node();
    expect(metadata.labels).toMatchObject({
      "kubernetes.io/hostname": "node-1",
      "kubernetes.io/os": "linux",
      "topology.kubernetes.io/zone": "a",
    });
    expect(spec?.providerID).toBe("local://node-1");
    expect(status?.addresses).toEqual([
      { type: "InternalIP", address: "127.0.0.2" },
      { type: "Hostname", address: "node-1" },
    ]);
    expect(status?.capacity).toMatchObject({ pods: "110", memory: expect.stringMatching(/^\d+Ki$/) });
    expect(status?.conditions?.map(({ type, status: is }) => `${type}=${is}`)).toEqual([
      "MemoryPressure=False",
      "DiskPressure=False",
      "PIDPressure=False",
      "Ready=True",
    ]);
  });

  it("that is there already keeps what others wrote on it", async () => {
    await scene.client.create(nodes, {
      metadata: { ...ref, labels: { "their.dev/label": "x" } },
      spec: { unschedulable: true },
    });
    await keeper.register();
    const { metadata, spec } = await node();
    expect(metadata.labels).toMatchObject({ "their.dev/label": "x", "kubernetes.io/hostname": "node-1" });
    expect(spec?.unschedulable).toBe(true);
  });

  it("has a lease of its own, which is renewed", async () => {
    await keeper.register();
    scene.run((signal) => keeper.run(signal));
    await expect.poll(() => scene.client.find(leases, leaseRef)).toBeDefined();
    const first = await scene.client.get(leases, leaseRef);
    expect(first.spec).toMatchObject({ holderIdentity: "node-1", leaseDurationSeconds: 40 });
    expect(first.metadata.ownerReferences).toMatchObject([{ kind: "Node", uid: (await node()).metadata.uid }]);
    await expect
      .poll(async () => {
        await turn();
        return (await scene.client.get(leases, leaseRef)).spec?.renewTime;
      })
      .not.toBe(first.spec?.renewTime);
  });

  it("says at once why it is not ready, and that it is again", async () => {
    await keeper.register();
    notReady = "container runtime is down";
    await keeper.tellStatus();
    expect(await ready()).toMatchObject({ status: "False", reason: "KubeletNotReady", message: notReady });
    notReady = undefined;
    await keeper.tellStatus();
    expect(await ready()).toMatchObject({ status: "True", reason: "KubeletReady" });
  });

  it("is not written while nothing about it changes, but for every five minutes", async () => {
    await keeper.register();
    await keeper.tellStatus();
    const before = await version();
    await clock.advance(60_000);
    await keeper.tellStatus();
    expect(await version()).toBe(before);
    await clock.advance(240_000);
    await keeper.tellStatus();
    expect(await version()).not.toBe(before);
  });

  it("that somebody deleted comes back", async () => {
    await keeper.register();
    await scene.client.delete(nodes, ref);
    await keeper.tellStatus();
    expect((await node()).status?.capacity).toBeDefined();
  });
});
