import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { csiDrivers, nodes, secrets } from "@stowage/machinery";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, type MortalCluster, startCluster } from "./kubelet/cluster.ts";
import { DriverProcess } from "./kubelet/driver-process.ts";
import { startEmbeddedNode } from "./kubelet/embedded-node.ts";
import { gripOf, type MockGrip } from "./kubelet/mock-control.ts";
import { device, inline, mounted, pod } from "./kubelet/pods.ts";
import { detachLoopDevices, filesBelow, loopDevices, volumeMounts } from "./kubelet/traces.ts";
import {
  awaitGrown,
  createStorageClass,
  type Growth,
  growOnController,
  provision,
  secretRef,
} from "./kubelet/volumes.ts";

const MIB = 1024n ** 2n;
const SET_UP_LIMIT_MS = 600_000;
/** Kubelet gives a driver two minutes for a call. */
const HANG_LIMIT_MS = 240_000;

const LOCAL = "local.csi.stowage.dev";
const MOCK = "mock.csi.stowage.dev";
const GUARDED = "guarded.csi.stowage.dev";

/** What the guarded mock must be given. */
const tokens = { NodeStageVolume: "for staging", NodePublishVolume: "for publishing", NodeExpandVolume: "for growing" };

/** The kernel asks for CAP_SYS_RESOURCE (bit 24) when a mounted ext4 is to grow; containers often lack it. */
const capabilities = BigInt(`0x${/^CapEff:\s*(\w+)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]}`);
const mayGrowMountedExt4 = (capabilities & (1n << 24n)) !== 0n;

const places = [
  { place: "a real kubelet", start: () => startCluster() },
  { place: "an embedded node", start: startEmbeddedNode },
];

const inTurn = { concurrent: false };

let lastStart: Promise<unknown> = Promise.resolve();
/** A cluster that comes up has the machine to itself. */
function startInTurn<T>(start: () => Promise<T>): Promise<T> {
  const started = lastStart.then(start);
  lastStart = started.catch(() => {});
  return started;
}

// A kubelet mounts and changes the network: that needs root. Both places have files, mounts and devices of their own and are gone through
// at the same time: most of it is waiting.
describe.skipIf(process.getuid?.() !== 0).each(places)("$place (needs root)", { concurrent: true }, ({ start }) => {
  let folder: string;
  let cluster: MortalCluster;
  let local: DriverProcess;
  let mock: DriverProcess;
  let guarded: DriverProcess;
  let grip: MockGrip;
  let guardedGrip: MockGrip;
  const handles = new Map<DriverProcess, string[]>();

  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "kubelet-test-")));
    cluster = await startInTurn(start);
    writeFileSync(join(folder, "secrets.json"), JSON.stringify(requiredSecrets()));
    local = new DriverProcess(cluster, {
      kind: "local",
      name: LOCAL,
      folder,
      arguments: ["--max-volumes-per-node", "40"],
    });
    mock = new DriverProcess(cluster, {
      kind: "mock",
      name: MOCK,
      folder,
      arguments: ["--topology", "mock.example/zone=a"],
    });
    const guardedArguments = ["--secrets-file", join(folder, "secrets.json")];
    guarded = new DriverProcess(cluster, { kind: "mock", name: GUARDED, folder, arguments: guardedArguments });
    await createStorageClass(cluster);
    const drivers = [local, mock, guarded];
    await Promise.all([...drivers.map((driver) => driver.start()), ...drivers.map(createDriverObject)]);
    grip = gripOf(mock);
    guardedGrip = gripOf(guarded);
    await startPodThatHangs();
  }, SET_UP_LIMIT_MS);

  afterAll(async () => {
    for (const driver of [local, mock, guarded]) {
      driver?.csi.close();
      await driver?.stop();
    }
    await cluster?.[Symbol.asyncDispose]();
    await detachLoopDevices(folder);
    rmSync(folder, { recursive: true, force: true });
  }, SET_UP_LIMIT_MS);

  async function createDriverObject({ name }: DriverProcess): Promise<void> {
    await cluster.client.create(csiDrivers, {
      metadata: { name },
      spec: {
        attachRequired: false,
        podInfoOnMount: true,
        fsGroupPolicy: "File",
        volumeLifecycleModes: ["Persistent", "Ephemeral"],
      },
    });
  }

  /** Its driver never answers, which kubelet notices only after two minutes: the other tests run meanwhile. */
  async function startPodThatHangs(): Promise<void> {
    await volume(mock, { name: "patient" });
    await grip.addFault({ method: "NodeStageVolume", volume: "patient", kind: "hang", times: 1 });
    await cluster.create(pod("patient", [mounted("patient")]));
  }

  /** A volume whose end is seen to in the last test. */
  async function volume(driver: DriverProcess, wish: Parameters<typeof provision>[2]): Promise<string> {
    const handle = await provision(cluster, driver, wish);
    handles.set(driver, [...(handles.get(driver) ?? []), handle]);
    return handle;
  }

  describe("and the registration of drivers", inTurn, () => {
    it("publishes the node id, topology keys and volume limit of each driver", async () => {
      const nodeID = cluster.nodeName;
      expect(await local.entry()).toEqual({
        name: LOCAL,
        nodeID,
        topologyKeys: [`topology.${LOCAL}/node`],
        allocatable: { count: 40 },
      });
      expect(await mock.entry()).toEqual({ name: MOCK, nodeID, topologyKeys: ["mock.example/zone"] });
      expect(await guarded.entry()).toEqual({ name: GUARDED, nodeID, topologyKeys: null });
    });

    it("labels the node with where the drivers say it is", async () => {
      const { metadata } = await cluster.client.get(nodes, { name: cluster.nodeName });
      expect(metadata.labels).toMatchObject({
        [`topology.${LOCAL}/node`]: cluster.nodeName,
        "mock.example/zone": "a",
      });
    });

    it("takes a driver back that was killed, and forgets one that was stopped", async () => {
      const passing = new DriverProcess(cluster, { kind: "mock", name: "passing.csi.stowage.dev", folder });
      await passing.start();
      const before = await passing.entry();
      expect(before).toMatchObject({ nodeID: cluster.nodeName });
      await passing.kill();
      await passing.start();
      await eventually(async () => expect(await passing.entry()).toEqual(before));
      expect(await passing.stop()).toBe(0);
      expect(passing.hasRegistrationSocket).toBe(false);
      await eventually(async () => expect(await passing.entry()).toBeUndefined());
      passing.csi.close();
    });
  });

  describe.concurrent("and volumes of the local driver", () => {
    it.each(["ext4", "xfs", "btrfs"])("keep on %s what one Pod wrote for the next", async (fsType) => {
      await volume(local, { name: fsType, fsType, sizeBytes: 400n * MIB });
      await cluster.start(pod(`${fsType}-writer`, [mounted(fsType)]));
      await cluster.shell(`${fsType}-writer`, "echo kept > /data/file");
      expect(await cluster.shell(`${fsType}-writer`, "grep ' /data ' /proc/mounts")).toContain(` ${fsType} rw`);
      await cluster.remove(`${fsType}-writer`);
      await cluster.start(pod(`${fsType}-reader`, [mounted(fsType)]));
      expect(await cluster.shell(`${fsType}-reader`, "cat /data/file")).toBe("kept");
      await cluster.remove(`${fsType}-reader`);
    });

    it("are shared by Pods at the same time, of which one may only read", async () => {
      await volume(local, { name: "shared", fsType: "ext4" });
      await Promise.all([
        cluster.start(pod("shared-writer", [mounted("shared")])),
        cluster.start(pod("shared-reader", [mounted("shared", {}, true)])),
      ]);
      await cluster.shell("shared-writer", "echo seen > /data/file");
      expect(await cluster.shell("shared-reader", "cat /data/file")).toBe("seen");
      await expect(cluster.shell("shared-reader", "echo no > /data/file")).rejects.toThrow("Read-only file system");
      await cluster.remove("shared-reader");
      expect(await cluster.shell("shared-writer", "cat /data/file")).toBe("seen");
      await cluster.remove("shared-writer");
    });

    it("have the mount options of their PersistentVolume, and are mounted in part by subPath", async () => {
      await volume(local, { name: "options", fsType: "ext4", mountOptions: ["noexec", "noatime"] });
      const inner = { name: "options", mountPath: "/inner", subPath: "a/b" };
      const both = pod("options", [mounted("options")]);
      both.spec?.containers[0]?.volumeMounts?.push(inner);
      await cluster.start(both);
      await cluster.shell("options", "echo part > /inner/file");
      expect(await cluster.shell("options", "cat /data/a/b/file")).toBe("part");
      const options = await cluster.shell("options", "grep ' /data ' /proc/mounts | cut -d ' ' -f 4");
      expect(options.split(",")).toEqual(expect.arrayContaining(["noexec", "noatime"]));
      const script = "printf '#!/bin/sh\\n' > /data/run; chmod +x /data/run; /data/run";
      await expect(cluster.shell("options", script)).rejects.toThrow("Permission denied");
      await cluster.remove("options");
    });

    it("belong to the group that the Pod names, which need not be root", async () => {
      await volume(local, { name: "group", fsType: "ext4" });
      const securityContext = { runAsUser: 1000, runAsGroup: 3000, fsGroup: 2000 };
      await cluster.start(pod("group", [mounted("group")], { securityContext }));
      await cluster.shell("group", "echo mine > /data/file");
      expect(await cluster.shell("group", "stat -c '%g %a' /data")).toBe("2000 2775");
      expect(await cluster.shell("group", "stat -c '%u %g' /data/file")).toBe("1000 2000");
      await cluster.remove("group");
    });

    it("are raw devices where a Pod wants that, and keep their bytes and grow as well", async () => {
      const wish = { name: "raw", volumeMode: "Block", sizeBytes: 16n * MIB } as const;
      const volumeId = await volume(local, wish);
      await cluster.start(pod("raw-writer", [device("raw")]));
      expect(await cluster.shell("raw-writer", "blockdev --getsize64 /dev/raw")).toBe(`${16n * MIB}`);
      await cluster.shell("raw-writer", "echo bytes | dd of=/dev/raw conv=fsync");
      await growOnController(cluster, local, { name: "raw", volumeId, toBytes: 32n * MIB });
      await awaitGrown(cluster, "raw", 32n * MIB);
      expect(await cluster.shell("raw-writer", "blockdev --getsize64 /dev/raw")).toBe(`${32n * MIB}`);
      await cluster.remove("raw-writer");
      await cluster.start(pod("raw-reader", [device("raw")]));
      expect(await cluster.shell("raw-reader", "head -c 5 /dev/raw")).toBe("bytes");
      await cluster.remove("raw-reader");
    });

    // btrfs makes inodes as it needs them, and has no number of them.
    it.each([
      { fsType: "xfs", leastInodes: 1 },
      { fsType: "btrfs", leastInodes: 0 },
    ])("of $fsType grow under a Pod, and their statistics say so", async ({ fsType, leastInodes }) => {
      const name = `growing-${fsType}`;
      const volumeId = await volume(local, { name, fsType, sizeBytes: 400n * MIB });
      await cluster.start(pod(name, [mounted(name)]));
      await cluster.shell(name, "dd if=/dev/zero of=/data/file bs=1M count=8 conv=fsync");
      await growOnController(cluster, local, { name, volumeId, toBytes: 800n * MIB });
      await awaitGrown(cluster, name, 800n * MIB);
      expect(await sizeKib(name)).toBeGreaterThan(700 * 1024);
      await eventually(async () => {
        const stats = await cluster.volumeStats(name, name);
        expect(stats?.capacityBytes).toBeGreaterThan(700 * 1024 ** 2);
        expect(stats?.usedBytes).toBeGreaterThan(8 * 1024 ** 2);
        expect(stats?.availableBytes).toBeGreaterThan(0);
        expect(stats?.inodes).toBeGreaterThanOrEqual(leastInodes);
      });
      await cluster.remove(name);
    });

    it.runIf(mayGrowMountedExt4)("of ext4 grow under a Pod, with CAP_SYS_RESOURCE", async () => {
      const growth = await startGrowingPod();
      await growOnController(cluster, local, growth);
      await expectGrown(growth);
    });

    it.skipIf(mayGrowMountedExt4)(
      "of ext4 cannot grow under a Pod without CAP_SYS_RESOURCE, and do at the next mount",
      async () => {
        const growth = await startGrowingPod();
        await expect(growOnController(cluster, local, growth)).rejects.toThrow("CAP_SYS_RESOURCE");
        await cluster.remove(growth.name);
        await expectUnstaged(growth.volumeId);
        await growOnController(cluster, local, growth);
        await cluster.start(pod(growth.name, [mounted(growth.name)]));
        await expectGrown(growth);
      },
    );

    async function startGrowingPod(): Promise<Growth> {
      const name = "growing-ext4";
      const volumeId = await volume(local, { name, fsType: "ext4", sizeBytes: 64n * MIB });
      await cluster.start(pod(name, [mounted(name)]));
      return { name, volumeId, toBytes: 128n * MIB };
    }

    async function expectGrown({ name, toBytes }: Growth): Promise<void> {
      await awaitGrown(cluster, name, toBytes);
      expect(await sizeKib(name)).toBeGreaterThan(100 * 1024);
      await cluster.remove(name);
    }

    it("come and go with a Pod that describes them itself", async () => {
      const volumeAttributes = { size: "32Mi" };
      await cluster.start(pod("inline", [inline({ driver: LOCAL, fsType: "ext4", volumeAttributes })]));
      await cluster.shell("inline", "echo scratch > /data/file");
      expect(await sizeKib("inline")).toBeLessThan(32 * 1024);
      expect(filesBelow(local.stateDir).filter((file) => /csi-[0-9a-f]{64}/.test(file))).not.toEqual([]);
      await cluster.remove("inline");
      expect(filesBelow(local.stateDir).filter((file) => /csi-[0-9a-f]{64}/.test(file))).toEqual([]);
    });
  });

  describe.concurrent("and volumes of the mock driver", () => {
    it("tell the driver which Pod they are for", async () => {
      const volumeId = await volume(mock, { name: "informed" });
      await cluster.start(pod("informed", [mounted("informed")]));
      const [call] = await grip.calls("NodePublishVolume", volumeId);
      expect(call?.request.volume_context).toMatchObject({
        "csi.storage.k8s.io/pod.name": "informed",
        "csi.storage.k8s.io/pod.namespace": "default",
        "csi.storage.k8s.io/pod.uid": expect.stringMatching(/^[0-9a-f-]{36}$/),
        "csi.storage.k8s.io/serviceAccount.name": "default",
        "csi.storage.k8s.io/ephemeral": "false",
      });
      await cluster.remove("informed");
    });

    it("are brought to the Pod once the driver does what it refused at first, and its words are the Pod's events", async () => {
      const volumeId = await volume(mock, { name: "refused" });
      const fault = { kind: "fail", code: "INTERNAL", volume: "refused" } as const;
      await grip.addFault({ ...fault, method: "NodeStageVolume", message: "the array is rebooting", times: 2 });
      await grip.addFault({ ...fault, method: "NodePublishVolume", message: "the path is blocked", times: 1 });
      await cluster.start(pod("refused", [mounted("refused")]));
      const complaints = (await cluster.complaints("refused")).join("\n");
      expect(complaints).toContain("code = Internal desc = the array is rebooting");
      expect(complaints).toContain("code = Internal desc = the path is blocked");
      const codes = (await grip.calls("NodeStageVolume", volumeId)).map(({ code }) => code);
      expect(codes.slice(0, 3)).toEqual(["INTERNAL", "INTERNAL", "OK"]);
      await cluster.remove("refused");
    });

    it("are unstaged when their Pod is deleted while nobody knows whether they were staged", async () => {
      const volumeId = await volume(mock, { name: "uncertain" });
      await grip.addFault({ method: "NodeStageVolume", volume: "uncertain", kind: "lostReply" });
      await cluster.create(pod("uncertain", [mounted("uncertain")]));
      await eventually(async () =>
        expect((await cluster.complaints("uncertain")).join()).toContain("code = Unavailable"),
      );
      await cluster.remove("uncertain");
      await eventually(async () => expect(await grip.calls("NodeUnstageVolume", volumeId)).not.toEqual([]));
    });

    it("come with the secrets that their PersistentVolume names", async () => {
      await createSecrets("good", tokens);
      const refs = {
        nodeStageSecretRef: secretRef("good-stage"),
        nodePublishSecretRef: secretRef("good-publish"),
        nodeExpandSecretRef: secretRef("good-expand"),
      };
      const volumeId = await volume(guarded, { name: "guarded", secrets: refs });
      await cluster.start(pod("guarded", [mounted("guarded")]));
      await growOnController(cluster, guarded, { name: "guarded", volumeId, toBytes: 128n * MIB });
      await awaitGrown(cluster, "guarded", 128n * MIB);
      for (const method of Object.keys(tokens)) {
        const calls = await guardedGrip.calls(method, volumeId);
        expect(
          calls.map(({ code }) => code),
          method,
        ).toEqual(["OK"]);
      }
      expect(guarded.log).not.toContain("for staging");
      await cluster.remove("guarded");
    });

    it("are refused to a Pod whose secrets are wrong, and given when they are put right", async () => {
      await createSecrets("bad", { ...tokens, NodePublishVolume: "a guess" });
      const refs = { nodeStageSecretRef: secretRef("bad-stage"), nodePublishSecretRef: secretRef("bad-publish") };
      await volume(guarded, { name: "mistaken", secrets: refs });
      await cluster.create(pod("mistaken", [mounted("mistaken")]));
      await eventually(async () => {
        const complaints = (await cluster.complaints("mistaken")).join("\n");
        expect(complaints).toMatch(/MountVolume\.SetUp failed .* code = Unauthenticated desc = NodePublishVolume/);
        expect(complaints).not.toContain("a guess");
      });
      const patch = { type: "merge", patch: { stringData: { token: tokens.NodePublishVolume } } } as const;
      await cluster.client.patch(secrets, { namespace: "default", name: "bad-publish" }, patch);
      await cluster.awaitReady("mistaken");
      await cluster.remove("mistaken");
    });
  });

  describe("and a driver that is killed under a Pod", inTurn, () => {
    it("leaves the Pod its data, and unpublishes and unstages after the restart", async () => {
      const volumeId = await volume(local, { name: "survivor", fsType: "ext4" });
      await cluster.start(pod("survivor", [mounted("survivor")]));
      await cluster.shell("survivor", "echo before > /data/file");
      await local.kill();
      expect(await cluster.shell("survivor", "echo during >> /data/file; cat /data/file")).toBe("before\nduring");
      await local.start();
      expect(await cluster.shell("survivor", "echo after >> /data/file; cat /data/file")).toBe("before\nduring\nafter");
      await cluster.remove("survivor");
      await expectUnstaged(volumeId);
    });

    it("sees to a Pod that was deleted while it was away", async () => {
      const volumeId = await volume(local, { name: "orphan", fsType: "ext4" });
      await cluster.start(pod("orphan", [mounted("orphan")]));
      await local.kill();
      const removal = cluster.remove("orphan");
      await local.start();
      await removal;
      await expectUnstaged(volumeId);
    });
  });

  it("gives up on a call that the driver never answers, says so, and brings the volume to the Pod", {
    ...inTurn,
    timeout: HANG_LIMIT_MS,
  }, async () => {
    await eventually(
      async () => expect((await cluster.complaints("patient")).join("\n")).toContain("code = DeadlineExceeded"),
      HANG_LIMIT_MS,
    );
    await cluster.awaitReady("patient");
    await cluster.remove("patient");
  });

  it("finds its Pods, volumes and drivers again when it is killed together with a driver", inTurn, async () => {
    const volumeId = await volume(local, { name: "double", fsType: "ext4" });
    await cluster.start(pod("double", [mounted("double")]));
    await cluster.shell("double", "echo kept > /data/file");
    await cluster.killNode();
    await local.kill();
    await cluster.startNode();
    await local.start();
    await eventually(async () => expect(await cluster.shell("double", "cat /data/file")).toBe("kept"));
    // A kubelet that was still dialling the dead driver's socket registers the new one twice, and forgets it in between.
    await eventually(async () => expect(await local.entry()).toMatchObject({ nodeID: cluster.nodeName }));
    await cluster.remove("double");
    await expectUnstaged(volumeId);
  });

  it("has, after all of that, nothing mounted or attached, and the drivers have no file left", inTurn, async () => {
    const { kubeletFolder } = cluster;
    await eventually(async () => {
      expect(volumeMounts(kubeletFolder)).toEqual([]);
      expect(await loopDevices([`${kubeletFolder}/`, `${folder}/`])).toEqual([]);
      expect([...(await grip.mounts()), ...(await guardedGrip.mounts())]).toEqual([]);
    });
    for (const [driver, volumeIds] of handles)
      for (const volumeId of volumeIds) await driver.csi.controller.deleteVolume({ volumeId });
    expect(filesBelow(local.stateDir).filter((file) => /vol-|csi-/.test(file))).toEqual([]);
  });

  /** A device stays as long as anything is mounted from it. */
  async function expectUnstaged(volumeId: string): Promise<void> {
    await eventually(async () => expect(await loopDevices([volumeId])).toEqual([]));
  }

  async function sizeKib(podName: string): Promise<number> {
    return Number(await cluster.shell(podName, "df -k /data | tail -1 | awk '{ print $2 }'"));
  }

  function requiredSecrets(): object {
    return Object.fromEntries(Object.entries(tokens).map(([method, token]) => [`${method}Secret`, { token }]));
  }

  async function createSecrets(prefix: string, given: typeof tokens): Promise<void> {
    const byUse = { stage: given.NodeStageVolume, publish: given.NodePublishVolume, expand: given.NodeExpandVolume };
    for (const [use, token] of Object.entries(byUse))
      await cluster.client.create(secrets, {
        metadata: { namespace: "default", name: `${prefix}-${use}` },
        stringData: { token },
      });
  }
});
