import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCsiClient, VolumeCapability_AccessMode_Mode as Mode } from "@stowage/csi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const checkout = new URL("../../", import.meta.url).pathname;
const volumeCapabilities = [
  { accessType: { case: "mount" as const, value: {} }, accessMode: { mode: Mode.SINGLE_NODE_WRITER } },
];

describe("the driver of the guide, as it is printed there", () => {
  let folder: string;
  let source: string;
  let driver: ChildProcess;
  let client: ReturnType<typeof createCsiClient>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "stowage-guide-"));
    const page = await readFile(join(checkout, "docs/guides/write-a-driver.md"), "utf8");
    source = /```ts\n(.*?)```/s.exec(page)?.[1] ?? "";
    // In the checkout, as the guide says, so that its imports are found.
    await mkdir(join(checkout, ".cache/guide"), { recursive: true });
    const file = join(checkout, ".cache/guide", "driver.ts");
    await writeFile(file, source);
    const endpoint = `unix://${folder}/csi.sock`;
    driver = spawn(process.execPath, [file, endpoint, join(folder, "volumes")], {
      stdio: ["ignore", "inherit", "inherit"],
    });
    client = createCsiClient({ endpoint });
    await client.waitForReady({ connectTimeoutMs: 50_000 });
  });

  afterAll(async () => {
    client?.close();
    const ended = once(driver, "exit");
    driver.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    await rm(folder, { recursive: true });
  });

  it("has at most 30 lines", () => {
    expect(source.trim().split("\n").length).toBeLessThanOrEqual(30);
  });

  it("says what it can do", async () => {
    expect(await client.driverName()).toBe("folders.example.com");
    expect(await client.controllerCapabilities()).toContain("CREATE_DELETE_VOLUME");
  });

  it("makes a volume and removes it", async () => {
    const { volume } = await client.controller.createVolume({ name: "data", volumeCapabilities });
    expect(volume?.volumeId).toBe("data");
    expect(existsSync(join(folder, "volumes/data"))).toBe(true);
    await client.controller.deleteVolume({ volumeId: "data" });
    expect(existsSync(join(folder, "volumes/data"))).toBe(false);
  });

  it.runIf(process.getuid?.() === 0)("mounts a volume where it is wanted (needs root)", async () => {
    await client.controller.createVolume({ name: "mounted", volumeCapabilities });
    const targetPath = join(folder, "target");
    await client.node.nodePublishVolume({ volumeId: "mounted", targetPath, volumeCapability: volumeCapabilities[0] });
    expect(execFileSync("findmnt", ["-n", "-o", "TARGET", targetPath], { encoding: "utf8" }).trim()).toBe(targetPath);
    await client.node.nodeUnpublishVolume({ volumeId: "mounted", targetPath });
    expect(() => execFileSync("findmnt", ["-n", targetPath], { stdio: "ignore" })).toThrow("Command failed");
    await client.controller.deleteVolume({ volumeId: "mounted" });
  });

  it("is spared requests that make no sense", async () => {
    await expect(client.controller.createVolume({ name: "" })).rejects.toMatchObject({ grpcCode: "INVALID_ARGUMENT" });
  });
});
