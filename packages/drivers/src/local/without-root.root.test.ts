import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CsiClient, createCsiClient, VolumeCapability_AccessMode_Mode as Mode } from "@stowage/csi";
import { afterEach, beforeEach, expect, it } from "vitest";
import { blockCapability, isRoot, mebibyte, mountCapability } from "./fixtures/driver-under-test.ts";
import { failureOf } from "./fixtures/volume-user.ts";

// Another user's process: the driver must find out by itself what it may not do.
const nobody = isRoot ? { uid: 65_534, gid: 65_534 } : {};

let folder: string;
let child: ChildProcess;
let client: CsiClient;
let log = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stowage-nobody-"));
  chmodSync(folder, 0o777);
  log = "";
});

/** Through another program, if one is named. */
async function start(...through: string[]): Promise<void> {
  const program = new URL("./fixtures/served-driver.ts", import.meta.url).pathname;
  const [file, ...args] = [...through, process.execPath, program, folder];
  child = spawn(file, args, { ...nobody, stdio: ["ignore", "pipe", "inherit"] });
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  client = createCsiClient({ endpoint: `unix://${folder}/csi.sock`, timeoutMs: 30_000 });
  await client.waitForReady();
}

afterEach(async () => {
  client.close();
  child.kill("SIGTERM");
  await once(child, "close");
  rmSync(folder, { recursive: true });
});

const request = { name: "v", capacityRange: { requiredBytes: mebibyte }, volumeCapabilities: [mountCapability()] };

it("a driver without root keeps volumes as directories, says so in its log, and refuses what it cannot do", async () => {
  await start();
  const { volume } = await client.controller.createVolume(request);
  const volumeId = volume?.volumeId ?? "";
  const [stagingTargetPath, targetPath] = [join(folder, "kubelet/stage"), join(folder, "kubelet/target")];
  const use = { volumeId, stagingTargetPath, volumeCapability: mountCapability() };
  await client.node.nodeStageVolume(use);
  await client.node.nodePublishVolume({ ...use, targetPath });
  writeFileSync(join(targetPath, "note"), "kept");
  expect(readFileSync(join(folder, "state/contents/volumes", volumeId, "note"), "utf8")).toBe("kept");
  expect(log).toContain("volumes are plain directories");
  expect((await client.identity.getPluginInfo({})).manifest).toEqual({ contents: "directory" });
  const raw = await failureOf(
    client.controller.createVolume({ ...request, name: "raw", volumeCapabilities: [blockCapability()] }),
  );
  expect(raw).toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringMatching(/raw.*root/) });
  const readOnly = await failureOf(
    client.node.nodePublishVolume({ ...use, targetPath: `${targetPath}-2`, readonly: true }),
  );
  expect(readOnly).toMatchObject({ code: "FAILED_PRECONDITION", message: expect.stringContaining(volumeId) });
});

it("a driver that is root of a user namespace binds its directories, also to be read only, and takes them away", async () => {
  await start("unshare", "--user", "--map-root-user", "--mount");
  const { volume } = await client.controller.createVolume(request);
  const volumeId = volume?.volumeId ?? "";
  const stagingTargetPath = join(folder, "kubelet/stage");
  const accessMode = { mode: Mode.SINGLE_NODE_MULTI_WRITER };
  const use = { volumeId, stagingTargetPath, volumeCapability: { ...mountCapability(), accessMode } };
  await client.node.nodeStageVolume(use);
  const [writable, readable] = ["writable", "readable"].map((name) => join(folder, "kubelet", name)) as [
    string,
    string,
  ];
  for (const _again of [1, 2]) {
    await client.node.nodePublishVolume({ ...use, targetPath: writable });
    await client.node.nodePublishVolume({ ...use, targetPath: readable, readonly: true });
  }
  writeFileSync(join(folder, "state/contents/volumes", volumeId, "note"), "kept");
  // As the driver sees it: this process is not in its namespace.
  const seen = (path: string) => `/proc/${child.pid}/root${path}`;
  expect([writable, readable].map((path) => readFileSync(seen(join(path, "note")), "utf8"))).toEqual(["kept", "kept"]);
  expect(() => writeFileSync(seen(join(readable, "other")), "")).toThrow("EROFS");
  expect((await failureOf(client.controller.deleteVolume({ volumeId }))).code).toBe("FAILED_PRECONDITION");
  for (const targetPath of [writable, readable]) await client.node.nodeUnpublishVolume({ volumeId, targetPath });
  await client.node.nodeUnstageVolume({ volumeId, stagingTargetPath });
  expect([writable, readable].map((path) => existsSync(seen(path)))).toEqual([false, false]);
  await client.controller.deleteVolume({ volumeId });
  expect(readFileSync(`/proc/${child.pid}/mountinfo`, "utf8")).not.toContain(folder);
});
