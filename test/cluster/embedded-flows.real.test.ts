import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import {
  configMaps,
  deployments,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  statefulSets,
  volumeAttachments,
  volumeSnapshots,
} from "@stowage/machinery";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../node/kubelet/cluster.ts";
import { device, mounted, pod } from "../node/kubelet/pods.ts";
import { loopDevices } from "../node/kubelet/traces.ts";
import { fromSnapshot, takeSnapshot } from "../node/volume-life/storage-objects.ts";
import { FlowCluster, LOCAL } from "./embedded-flows/flow-cluster.ts";
import {
  claim,
  dropClaim,
  introduceDrivers,
  moverOn,
  namespace,
  notingSet,
  onNode,
} from "./embedded-flows/flow-objects.ts";
import { movesOf } from "./embedded-flows/mock-calls.ts";
import { mountingCalls, mountLines, nothingLeft, whileReadOnly } from "./embedded-flows/node-traces.ts";

const SET_UP_LIMIT_MS = 600_000;

// Volumes are mounted.
describe.skipIf(process.getuid?.() !== 0)("on an embedded cluster of three nodes (needs root)", () => {
  let flow: FlowCluster;

  beforeAll(async () => {
    flow = await FlowCluster.start();
    await introduceDrivers(flow.cluster.client);
    await flow.startStorage();
  }, SET_UP_LIMIT_MS);

  afterAll(() => flow?.[Symbol.asyncDispose](), SET_UP_LIMIT_MS);

  const podOf = (name: string) => flow.cluster.client.get(pods, { namespace, name });
  const uidOf = async (name: string) => (await podOf(name)).metadata.uid ?? "";
  const nodeOf = async (name: string) => flow.node((await podOf(name)).spec?.nodeName);

  /** The volume of a claim, as its driver knows it. */
  async function handleOf(name: string): Promise<string> {
    const { client } = flow.cluster;
    const { spec } = await client.get(persistentVolumeClaims, { namespace, name });
    return (await client.get(persistentVolumes, { name: spec?.volumeName ?? "" })).spec?.csi?.volumeHandle ?? "";
  }

  async function told(name: string, text: string | RegExp): Promise<void> {
    await eventually(async () => expect((await flow.cluster.complaints(name)).join("\n")).toMatch(text));
  }

  it("five Pods of a StatefulSet have a volume each, and find it again when there were fewer of them meanwhile", async () => {
    const { client } = flow.cluster;
    const scaled = async (replicas: number) => {
      await client.patch(statefulSets, { namespace, name: "web" }, { type: "merge", patch: { spec: { replicas } } });
      await running(replicas);
    };
    const running = (count: number) =>
      eventually(async () => {
        const { items } = await client.list(pods, { namespace, labelSelector: "app=web" });
        expect(items.map(({ status }) => status?.phase)).toEqual(Array.from({ length: count }, () => "Running"));
        return items;
      });
    await client.create(statefulSets, notingSet("web", 5));
    const first = await running(5);
    expect(new Set(first.map(({ spec }) => spec?.nodeName)).size).toBe(3);
    await scaled(1);
    await scaled(5);
    for (const [index, starts] of [1, 2, 2, 2, 2].entries()) {
      const name = `web-${index}`;
      await eventually(async () => {
        const said = await flow.cluster.shell(name, "cat /data/starts");
        expect(said.split("\n")).toEqual(Array.from({ length: starts }, () => name));
      });
    }
    await client.delete(statefulSets, { namespace, name: "web" }, { propagationPolicy: "Background" });
    await eventually(async () =>
      expect((await client.list(pods, { namespace, labelSelector: "app=web" })).items).toEqual([]),
    );
    await client.deleteCollection(persistentVolumeClaims, { namespace, labelSelector: "app=web" });
  });

  it("a volume goes to another node with its Pod: it is let go on one before the other has it", async () => {
    const { client } = flow.cluster;
    await claim(flow, "moved", { className: "mock" });
    await client.create(deployments, moverOn("node-1"));
    await eventually(async () => expect((await mover()).status?.readyReplicas).toBe(1));
    await client.update(deployments, { ...(await mover()), spec: moverOn("node-3").spec });
    await eventually(async () => {
      const { metadata, status } = await mover();
      expect(status).toMatchObject({ observedGeneration: metadata.generation, updatedReplicas: 1, readyReplicas: 1 });
    });
    expect(await movesOf(flow, await handleOf("moved"))).toEqual([
      "ControllerPublishVolume node-1",
      "NodeStageVolume node-1",
      "NodePublishVolume node-1",
      "NodeUnpublishVolume node-1",
      "NodeUnstageVolume node-1",
      "ControllerUnpublishVolume node-1",
      "ControllerPublishVolume node-3",
      "NodeStageVolume node-3",
      "NodePublishVolume node-3",
    ]);
    const { items } = await client.list(volumeAttachments);
    expect(items.map(({ spec }) => spec.nodeName)).toEqual(["node-3"]);
    await client.delete(deployments, { namespace, name: "mover" }, { propagationPolicy: "Background" });
    await dropClaim(flow, "moved");
    await eventually(async () => expect((await client.list(volumeAttachments)).items).toEqual([]));
  });

  const mover = () => flow.cluster.client.get(deployments, { namespace, name: "mover" });

  it("a raw volume is a device in its container, keeps what was written, and is gone with its Pod", async () => {
    const { cluster } = flow;
    await claim(flow, "raw", { volumeMode: "Block" });
    await cluster.start(pod("raw", [device("raw")]));
    const volume = await handleOf("raw");
    await cluster.shell("raw", "echo bytes | dd of=/dev/raw conv=fsync");
    await cluster.remove("raw");
    await eventually(async () => expect(await loopDevices([volume])).toEqual([]));
    await cluster.start(pod("raw", [device("raw")]));
    expect(await cluster.shell("raw", "test -b /dev/raw && head -c 5 /dev/raw")).toBe("bytes");
    await cluster.remove("raw");
    await eventually(async () => expect(await loopDevices([volume])).toEqual([]));
    await dropClaim(flow, "raw");
  });

  it("a volume that is restored from a snapshot has what the other had when it was taken, and is where that is", async () => {
    const { cluster } = flow;
    await claim(flow, "source");
    await cluster.start(pod("source", [mounted("source")]));
    await cluster.shell("source", "echo before > /data/file; sync");
    await takeSnapshot(cluster, { name: "kept", claim: "source", className: LOCAL });
    await cluster.shell("source", "echo after > /data/file; sync");
    await claim(flow, "restored", { dataSource: fromSnapshot("kept") });
    await cluster.start(pod("restored", [mounted("restored")]));
    expect(await nodeOf("restored")).toBe(await nodeOf("source"));
    expect(await cluster.shell("restored", "cat /data/file")).toBe("before");
    expect(await cluster.shell("source", "cat /data/file")).toBe("after");
    await Promise.all([cluster.remove("source"), cluster.remove("restored")]);
    await cluster.client.delete(volumeSnapshots, { namespace, name: "kept" });
    await Promise.all([dropClaim(flow, "source"), dropClaim(flow, "restored")]);
  });

  it("what is right stays as it is when the agents are killed, and what nobody wants any more goes", async () => {
    const { cluster } = flow;
    const names = flow.nodes.flatMap(({ nodeName }) => [`stays-${nodeName}`, `goes-${nodeName}`]);
    await Promise.all(
      names.map(async (name) => {
        await claim(flow, name, name.endsWith("2") ? { volumeMode: "Block" } : {});
        const volume = name.endsWith("2") ? device(name) : mounted(name);
        await cluster.start(pod(name, [volume], onNode(name.slice(name.indexOf("-") + 1))));
      }),
    );
    const staying = names.filter((name) => name.startsWith("stays-"));
    const going = names.filter((name) => name.startsWith("goes-"));
    const stayingUids = await Promise.all(staying.map(uidOf));
    const goingUids = await Promise.all(going.map(uidOf));
    const before = mountLines(stayingUids);
    const asked = flow.nodes.map(({ local }) => mountingCalls(local));
    await cluster.killNode();
    const started = cluster.startNode();
    // One after the other as soon as it answers: some are gone before their node looks.
    for (const [index, name] of going.entries())
      await eventually(async () => {
        if ((await cluster.client.find(pods, { namespace, name })) === undefined) return;
        await cluster.client.delete(pods, { namespace, name }, index === 0 ? { gracePeriodSeconds: 0 } : {});
      });
    await started;
    await eventually(async () => {
      for (const name of going) expect(await cluster.client.find(pods, { namespace, name })).toBeUndefined();
      expect(mountLines(goingUids)).toEqual([]);
    });
    for (const name of staying) await cluster.awaitReady(name);
    expect(mountLines(stayingUids)).toEqual(before);
    expect(before.length).toBeGreaterThanOrEqual(staying.length);
    expect(flow.nodes.map(({ local }) => mountingCalls(local))).toEqual(asked);
    await Promise.all(staying.map((name) => cluster.remove(name)));
    await Promise.all(names.map((name) => dropClaim(flow, name)));
  });

  it("Pods go on while their driver is away, and a new one waits for it", async () => {
    const { cluster } = flow;
    await claim(flow, "held");
    await claim(flow, "wanted");
    await cluster.start(pod("holder", [mounted("held")]));
    const node = await nodeOf("holder");
    await cluster.start(pod("waiter", [mounted("wanted")], onNode(node.nodeName)));
    await cluster.shell("waiter", "echo kept > /data/file");
    await cluster.remove("waiter");
    await eventually(async () => expect(await loopDevices([await handleOf("wanted")])).toEqual([]));
    await node.local.kill();
    await cluster.create(pod("waiter", [mounted("wanted")], onNode(node.nodeName)));
    await told("waiter", /MountVolume\.MountDevice failed .*code = Unavailable/u);
    expect(await cluster.shell("holder", "echo during > /data/file; cat /data/file")).toBe("during");
    await node.local.start();
    await cluster.awaitReady("waiter");
    expect(await cluster.shell("waiter", "cat /data/file")).toBe("kept");
    expect(await cluster.shell("holder", "cat /data/file")).toBe("during");
    await Promise.all([cluster.remove("holder"), cluster.remove("waiter")]);
    await Promise.all([dropClaim(flow, "held"), dropClaim(flow, "wanted")]);
  });

  it("nothing is lost when everything is killed at once and started again", async () => {
    const { cluster } = flow;
    await claim(flow, "files");
    await claim(flow, "device", { volumeMode: "Block" });
    await claim(flow, "attached", { className: "mock" });
    const names = ["files", "device", "attached"];
    const volumes = { files: mounted("files"), device: device("device"), attached: mounted("attached") };
    await Promise.all(Object.entries(volumes).map(([name, volume]) => cluster.start(pod(name, [volume]))));
    await cluster.shell("files", "echo kept > /data/file");
    await cluster.shell("device", "echo bytes | dd of=/dev/raw conv=fsync");
    const uids = await Promise.all(names.map(uidOf));
    const before = mountLines(uids);
    await flow.killAll();
    await flow.startAll();
    for (const name of names) await cluster.awaitReady(name);
    expect(await Promise.all(names.map(uidOf))).toEqual(uids);
    expect(mountLines(uids)).toEqual(before);
    expect(await cluster.shell("files", "cat /data/file")).toBe("kept");
    expect(await cluster.shell("device", "head -c 5 /dev/raw")).toBe("bytes");
    for (const name of names)
      expect((await podOf(name)).status?.containerStatuses?.map(({ restartCount }) => restartCount)).toEqual([0]);
    // Everybody is at work again: from a new claim to a Pod, and back.
    await claim(flow, "late");
    await cluster.start(pod("late", [mounted("late")]));
    await Promise.all([...names, "late"].map((name) => cluster.remove(name)));
    await Promise.all([...names, "late"].map((name) => dropClaim(flow, name)));
  });

  it("a Pod with 200 volumes runs, and goes", async () => {
    const { cluster } = flow;
    await cluster.client.create(configMaps, { metadata: { namespace, name: "words" }, data: { word: "read" } });
    const own = Array.from({ length: 200 }, (_, index) => {
      const name = `volume-${index}`;
      const sources = [{ emptyDir: {} }, { configMap: { name: "words" } }];
      const inline = { csi: { driver: LOCAL, volumeAttributes: { size: "8Mi" } } };
      const source = index < 190 ? sources[index % 2] : inline;
      return { volume: { name, ...source }, mount: { name, mountPath: `/volumes/${index}` } };
    });
    await cluster.start(pod("many", own));
    expect(await cluster.shell("many", "cat /volumes/189/word")).toBe("read");
    expect(await cluster.shell("many", "for at in /volumes/*; do echo $at; done | wc -l")).toBe("200");
    await cluster.shell("many", "for at in 0 188 190 199; do echo own > /volumes/$at/file || exit 1; done");
    await cluster.remove("many");
    await cluster.client.delete(configMaps, { namespace, name: "words" });
  });

  it("a claim whose driver cannot write says so, and is bound when it can", async () => {
    const { cluster } = flow;
    const node = flow.node("node-2");
    await claim(flow, "unwritten");
    await whileReadOnly(node, node.local.stateDir, async () => {
      await cluster.create(pod("unwritten", [mounted("unwritten")], onNode(node.nodeName)));
      await told("unwritten", /rpc error: code = Internal desc = .*read-only file system/u);
    });
    await cluster.awaitReady("unwritten");
    await cluster.remove("unwritten");
    await dropClaim(flow, "unwritten");
  });

  it("a node whose folder of volumes cannot be written says so, and goes on when it can", async () => {
    const { cluster } = flow;
    const node = flow.node("node-2");
    await claim(flow, "unstaged");
    await whileReadOnly(node, join(node.kubeletFolder, "plugins/kubernetes.io"), async () => {
      await cluster.create(pod("unstaged", [mounted("unstaged")], onNode(node.nodeName)));
      await told("unstaged", /MountVolume\.MountDevice failed .* failed to create dir .*: read-only file system/u);
    });
    await cluster.awaitReady("unstaged");
    await cluster.remove("unstaged");
    await dropClaim(flow, "unstaged");
  });

  it("a Pod whose folder vanishes under it can be deleted, and its volume is none the worse", async () => {
    const { cluster } = flow;
    await claim(flow, "safe");
    await cluster.start(pod("robbed", [mounted("safe")]));
    await cluster.shell("robbed", "echo kept > /data/file; sync");
    const { kubeletFolder, nodeName } = await nodeOf("robbed");
    const folder = join(kubeletFolder, "pods", await uidOf("robbed"));
    for (const line of mountLines([folder]).toReversed()) execFileSync("umount", ["--lazy", line.split(" ")[4] ?? ""]);
    rmSync(folder, { recursive: true });
    expect(await cluster.shell("robbed", "cat /data/file")).toBe("kept");
    await cluster.remove("robbed");
    await cluster.start(pod("next", [mounted("safe")], onNode(nodeName)));
    expect(await cluster.shell("next", "cat /data/file")).toBe("kept");
    await cluster.remove("next");
    await dropClaim(flow, "safe");
  });

  it("nothing is left of all that, in the cluster, on the nodes and in the storage", async () => {
    const { client } = flow.cluster;
    await eventually(async () => {
      for (const type of [pods, persistentVolumeClaims, persistentVolumes, volumeAttachments] as const)
        expect((await client.list<never>(type as never)).items, type.plural).toEqual([]);
    });
    await nothingLeft(flow);
  });
});
