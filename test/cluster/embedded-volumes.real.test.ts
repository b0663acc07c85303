import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { csiDrivers } from "@stowage/machinery";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, type MortalCluster } from "../node/kubelet/cluster.ts";
import { DriverProcess } from "../node/kubelet/driver-process.ts";
import { startEmbeddedNode } from "../node/kubelet/embedded-node.ts";
import { device, mounted, pod } from "../node/kubelet/pods.ts";
import { detachLoopDevices, loopDevices, volumeMounts } from "../node/kubelet/traces.ts";
import { createStorageClass, provision } from "../node/kubelet/volumes.ts";
import { processesOf } from "../up/stowage-up/machine-state.ts";

const LOCAL = "local.csi.stowage.dev";
/** More of both where somebody wants to be sure. */
const podCount = Number(process.env["STOWAGE_POD_COUNT"] ?? 20);
const roundCount = Number(process.env["STOWAGE_POD_ROUNDS"] ?? 2);
const ROUND_LIMIT_MS = 120_000;
const SET_UP_LIMIT_MS = 120_000;

// What a real kubelet does as well is in `kubelet.test.ts`, which runs on an embedded node, too.
describe.skipIf(process.getuid?.() !== 0)("volumes on an embedded node (needs root)", () => {
  let folder: string;
  let cluster: MortalCluster;
  let local: DriverProcess;

  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "embedded-volumes-")));
    cluster = await startEmbeddedNode();
    local = new DriverProcess(cluster, { kind: "local", name: LOCAL, folder });
    await cluster.client.create(csiDrivers, { metadata: { name: LOCAL }, spec: { attachRequired: false } });
    await createStorageClass(cluster);
    await local.start();
  }, SET_UP_LIMIT_MS);

  afterAll(async () => {
    local.csi.close();
    await local.stop();
    await cluster[Symbol.asyncDispose]();
    await detachLoopDevices(folder);
    rmSync(folder, { recursive: true });
  }, SET_UP_LIMIT_MS);

  const foldersOf = (path: string) => readdirSync(join(cluster.kubeletFolder, path));

  async function nothingLeft(): Promise<void> {
    await eventually(async () => {
      expect(volumeMounts(cluster.kubeletFolder)).toEqual([]);
      expect(await loopDevices([`${cluster.kubeletFolder}/`, `${folder}/`])).toEqual([]);
      expect(foldersOf("pods")).toEqual([]);
      expect(processesOf(join(cluster.kubeletFolder, "containers"))).toEqual([]);
      expect(foldersOf(join("plugins/kubernetes.io/csi", LOCAL))).toEqual([]);
    });
  }

  it("stay as they are when everything is killed and started anew, with not a word to their driver", async () => {
    await provision(cluster, local, { name: "files", fsType: "ext4" });
    await provision(cluster, local, { name: "raw", volumeMode: "Block" });
    await Promise.all([cluster.start(pod("files", [mounted("files")])), cluster.start(pod("raw", [device("raw")]))]);
    const mountsBelow = () =>
      readFileSync("/proc/self/mountinfo", "utf8")
        .split("\n")
        .filter((line) => line.includes(cluster.kubeletFolder) && /[/~]csi\//u.test(line));
    const before = mountsBelow();
    const mountingCalls = () => local.log.split("\n").filter((line) => /Node(Stage|Publish)Volume/u.test(line));
    const asked = mountingCalls();
    expect(asked).not.toEqual([]);
    await cluster.killNode();
    await cluster.startNode();
    // The API server answers before its node does.
    await eventually(() => cluster.shell("files", "echo kept > /data/file"));
    expect(await cluster.shell("files", "cat /data/file")).toBe("kept");
    expect(await cluster.shell("raw", "test -b /dev/raw && echo device")).toBe("device");
    expect(mountsBelow()).toEqual(before);
    await Promise.all([cluster.remove("files"), cluster.remove("raw")]);
    await nothingLeft();
    expect(mountingCalls()).toEqual(asked);
  });

  it(
    `of ${podCount} Pods that come and go at once leave nothing`,
    async () => {
      const names = Array.from({ length: podCount }, (_, index) => `many-${index}`);
      for (const name of names) await provision(cluster, local, { name, fsType: "ext4", sizeBytes: 8n << 20n });
      for (let round = 0; round < roundCount; round++) {
        await Promise.all(names.map((name) => cluster.start(pod(name, [mounted(name)]))));
        expect(volumeMounts(cluster.kubeletFolder)).toHaveLength(2 * podCount);
        await Promise.all(names.map((name) => cluster.remove(name)));
        await nothingLeft();
      }
    },
    roundCount * ROUND_LIMIT_MS,
  );
});
