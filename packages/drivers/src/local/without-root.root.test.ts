import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CsiClient, createCsiClient } from "@stowage/csi";
import { afterEach, beforeEach, expect, it } from "vitest";
import { blockCapability, isRoot, mebibyte, mountCapability } from "./fixtures/driver-under-test.ts";
import { failureOf } from "./fixtures/volume-user.ts";

// Another user's process: the driver must find out by itself what it may not do.
const nobody = isRoot ? { uid: 65_534, gid: 65_534 } : {};

let folder: string;
let child: ChildProcess;
let client: CsiClient;
let log = "";

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "stowage-nobody-"));
  chmodSync(folder, 0o777);
  const program = new URL("./fixtures/served-driver.ts", import.meta.url).pathname;
  child = spawn(process.execPath, [program, folder], { ...nobody, stdio: ["ignore", "pipe", "inherit"] });
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  client = createCsiClient({ endpoint: `unix://${folder}/csi.sock`, timeoutMs: 30_000 });
  await client.waitForReady();
});

afterEach(async () => {
  client.close();
  child.kill("SIGTERM");
  await once(child, "close");
  rmSync(folder, { recursive: true });
});

it("a driver without root keeps volumes as directories, says so in its log, and refuses what it cannot do", async () => {
  const request = { name: "v", capacityRange: { requiredBytes: mebibyte }, volumeCapabilities: [mountCapability()] };
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
