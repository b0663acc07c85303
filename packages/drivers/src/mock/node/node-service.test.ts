import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { VolumeCapability_AccessMode_Mode as Mode } from "@stowage/csi";
import { describe, expect, it } from "vitest";
import { callerOf } from "../fixtures/mock-caller.ts";
import { attaching, capability, GIB, volumeNamed } from "../fixtures/requests.ts";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";
import { createMockDriver } from "../mock-driver.ts";
import type { MockDriverOptions } from "../options.ts";

const code = (grpcCode: string) => expect.objectContaining({ grpcCode });

/** A volume that is attached to the node, staged there and published at `pod-1`. */
async function publishedVolume(path: string, options: Partial<MockDriverOptions> = {}, use = capability()) {
  const { driver, control } = createMockDriver({ nodeId: "node-1", ...options });
  const call = callerOf(driver);
  const { volume } = await call("createVolume", volumeNamed("a", { volumeCapabilities: [use] }));
  const volumeId = volume?.volumeId ?? "";
  const attached = attaching(volumeId, "node-1", { volumeCapability: use });
  const { publishContext } = await call("controllerPublishVolume", attached);
  const stagingTargetPath = join(path, "staging");
  const common = { volumeId, volumeCapability: use, publishContext, stagingTargetPath };
  await call("nodeStageVolume", common);
  const publishing = (target: string, changes: object = {}) =>
    call("nodePublishVolume", { ...common, targetPath: join(path, target), ...changes });
  await publishing("pod-1");
  return { call, control, volumeId, common, publishing, target: join(path, "pod-1") };
}

describe("a published volume", () => {
  it("is a folder, which goes with all that is in it", async () => {
    using folder = temporaryFolder();
    const { call, volumeId, target, publishing } = await publishedVolume(folder.path);
    await publishing("pod-1");
    writeFileSync(join(target, "data"), "from the workload");
    await call("nodeUnpublishVolume", { volumeId, targetPath: target });
    expect(existsSync(target)).toBe(false);
    await call("nodeUnpublishVolume", { volumeId, targetPath: target });
  });

  it("is a file when it is a block device", async () => {
    using folder = temporaryFolder();
    const use = capability(Mode.SINGLE_NODE_WRITER, "block");
    const { call, volumeId, target } = await publishedVolume(folder.path, {}, use);
    expect(statSync(target).isFile()).toBe(true);
    const { usage } = await call("nodeGetVolumeStats", { volumeId, volumePath: target });
    expect(usage).toMatchObject([{ total: GIB }]);
  });

  it("tells its size, and a larger one when it was expanded", async () => {
    using folder = temporaryFolder();
    const { call, volumeId, target } = await publishedVolume(folder.path);
    const capacityRange = { requiredBytes: 2n * GIB };
    await expect(call("nodeExpandVolume", { volumeId, volumePath: target, capacityRange })).rejects.toEqual(
      code("OUT_OF_RANGE"),
    );
    await call("controllerExpandVolume", { volumeId, capacityRange });
    await call("nodeExpandVolume", { volumeId, volumePath: target, capacityRange });
    const { usage } = await call("nodeGetVolumeStats", { volumeId, volumePath: target });
    expect(usage?.[0]).toMatchObject({ total: 2n * GIB, available: 2n * GIB });
    await expect(call("nodeGetVolumeStats", { volumeId, volumePath: "/elsewhere" })).rejects.toEqual(code("NOT_FOUND"));
  });

  it.each(["SINGLE_NODE_MULTI_WRITER", "MULTI_NODE_MULTI_WRITER"] as const)(
    "with %s may be published at a second target",
    async (mode) => {
      using folder = temporaryFolder();
      const { publishing } = await publishedVolume(folder.path, {}, capability(Mode[mode]));
      await publishing("pod-2");
    },
  );

  it.each(["SINGLE_NODE_SINGLE_WRITER", "SINGLE_NODE_WRITER"] as const)(
    "with %s may not be published at a second target",
    async (mode) => {
      using folder = temporaryFolder();
      const { publishing } = await publishedVolume(folder.path, {}, capability(Mode[mode]));
      await expect(publishing("pod-2")).rejects.toEqual(code("FAILED_PRECONDITION"));
    },
  );

  it("cannot be published in another way at the same target", async () => {
    using folder = temporaryFolder();
    const { publishing } = await publishedVolume(folder.path);
    await expect(publishing("pod-1", { readonly: true })).rejects.toEqual(code("ALREADY_EXISTS"));
  });

  it("must have been staged and attached", async () => {
    using folder = temporaryFolder();
    const { call, volumeId, common, target, publishing } = await publishedVolume(folder.path);
    await call("nodeUnpublishVolume", { volumeId, targetPath: target });
    await expect(publishing("pod-1", { publishContext: {} })).rejects.toEqual(code("INVALID_ARGUMENT"));
    await call("nodeUnstageVolume", common);
    await expect(publishing("pod-1")).rejects.toEqual(code("FAILED_PRECONDITION"));
  });

  it("is neither staged nor attached nor created when it is ephemeral", async () => {
    using folder = temporaryFolder();
    const { driver } = createMockDriver({ nodeId: "node-1" });
    const targetPath = join(folder.path, "pod-1");
    const volumeContext = { "csi.storage.k8s.io/ephemeral": "true" };
    await callerOf(driver)("nodePublishVolume", {
      volumeId: "csi-1",
      targetPath,
      volumeContext,
      volumeCapability: capability(),
    });
    expect(existsSync(targetPath)).toBe(true);
  });
});

describe("a volume that ails", () => {
  it("says so as 1.12 and as 1.13 have it", async () => {
    using folder = temporaryFolder();
    const { call, control, volumeId, target } = await publishedVolume(folder.path);
    const ailment = { status: "degraded", reason: "DiskFailing", message: "one of two disks" } as const;
    expect(control.setAilment("a", ailment)).toBe(true);
    const { volumeCondition } = await call("nodeGetVolumeStats", { volumeId, volumePath: target });
    expect(volumeCondition).toEqual({ abnormal: true, message: "DiskFailing: one of two disks" });
    const { entries } = await call("controllerListVolumeHealth");
    expect(entries).toMatchObject([{ volumeId, healthStatuses: [{ status: 1, reason: "DiskFailing" }] }]);
    control.setAilment("a", undefined);
    expect((await call("nodeGetVolumeHealth", { volumeId })).volumeHealth).toEqual({ volumeId, healthStatuses: [] });
  });
});

describe("a driver with a state folder", () => {
  it("knows after a restart what it had", async () => {
    using folder = temporaryFolder();
    const options = { stateDir: join(folder.path, "state") };
    const before = await publishedVolume(folder.path, options);
    await before.call("createSnapshot", { name: "s", sourceVolumeId: before.volumeId });
    const after = createMockDriver({ nodeId: "node-1", ...options });
    expect(after.control.state()).toEqual(before.control.state());
    const call = callerOf(after.driver);
    const { volume } = await call("createVolume", volumeNamed("a"));
    expect(volume?.volumeId).toBe(before.volumeId);
    const { usage } = await call("nodeGetVolumeStats", { volumeId: before.volumeId, volumePath: before.target });
    expect(usage?.[0]).toMatchObject({ total: GIB });
    expect(statSync(join(folder.path, "state", "volumes.json")).mode & 0o777).toBe(0o600);
  });

  it("leaves a node's file to the node where it is the controller alone, which may not read it", () => {
    using folder = temporaryFolder();
    // In the place of one that somebody else owns: nothing that could be read as a file.
    mkdirSync(join(folder.path, "node-node-1.json"));
    const options = { nodeId: "node-1", stateDir: folder.path };
    expect(() => createMockDriver({ ...options, services: ["controller"] })).not.toThrow();
    expect(() => createMockDriver({ ...options, services: ["node"] })).toThrow("EISDIR");
  });
});
