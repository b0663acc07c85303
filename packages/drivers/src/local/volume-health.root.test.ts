import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { VolumeHealthErrorType as Health, StorageHealthErrorType as StorageHealth } from "@stowage/csi";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  blockCapability,
  command,
  DriverUnderTest,
  isRoot,
  mebibyte,
  mountCapability,
} from "./fixtures/driver-under-test.ts";
import { createVolume, publish, testSize, unpublish } from "./fixtures/volume-user.ts";

const driverOptions = { contents: "image", gate13: true } as const;

let subject: DriverUnderTest;
afterEach(() => subject[Symbol.asyncDispose]());

const deviceOf = () => (subject.loopDevices()[0] ?? "").replace("/dev/", "");
const imageOf = (volumeId: string) => join(subject.stateDir, "contents/volumes", volumeId);

/** Writes other bytes over the first place in the image that has the words. */
function damage(image: string, words: string): void {
  const offset = readFileSync(image).indexOf(words);
  expect(offset).toBeGreaterThan(0);
  const file = openSync(image, "r+");
  writeSync(file, "x".repeat(words.length), offset);
  fsyncSync(file);
  closeSync(file);
}

async function healthOf(volumeId: string): Promise<[status: string | undefined, reason: string][]> {
  const { volumeHealth } = await subject.client.controller.controllerGetVolumeHealth({ volumeId });
  return (volumeHealth?.healthStatuses ?? []).map(({ status, reason }) => [Health[status], reason]);
}

/** As kubelet asks, with the paths at which the volume should be. */
async function nodeHealthOf(volumeId: string): Promise<string[]> {
  const stagingTargetPath = subject.at(`stage-${volumeId}`);
  const volumePublishPath = subject.at(`target-${volumeId}`);
  const request = { volumeId, stagingTargetPath, volumePublishPath };
  const { volumeHealth } = await subject.client.node.nodeGetVolumeHealth(request);
  return (volumeHealth?.healthStatuses ?? []).map(({ reason }) => reason);
}

describe.runIf(isRoot)("the health of a volume (needs root)", () => {
  beforeEach(async () => {
    subject = await DriverUnderTest.started(driverOptions);
  });

  it.each(["ext4", "xfs", "btrfs"])("with %s is good while it is used and while it is not", async (fsType) => {
    const capability = mountCapability(fsType);
    const volumeId = await createVolume(subject, "well", { capability, bytes: testSize(fsType) });
    expect(await healthOf(volumeId)).toEqual([]);
    await publish(subject, volumeId, { capability });
    await publish(subject, volumeId, { capability, target: "reader", isReadOnly: true });
    expect(await healthOf(volumeId)).toEqual([]);
    expect(await nodeHealthOf(volumeId)).toEqual([]);
    expect((await subject.client.controller.controllerListVolumeHealth({})).entries).toEqual([]);
  });

  it("is good where it was asked to be mounted read-only", async () => {
    const capability = mountCapability("ext4", undefined, ["ro"]);
    const volumeId = await createVolume(subject, "reader", { capability });
    await publish(subject, volumeId, { capability, isReadOnly: true });
    expect(await healthOf(volumeId)).toEqual([]);
  });

  it("is lost with its image, and only for that volume", async () => {
    const lost = await createVolume(subject, "lost");
    await createVolume(subject, "kept");
    renameSync(imageOf(lost), join(subject.folder, "elsewhere"));
    expect(await healthOf(lost)).toEqual([["DATA_LOSS", "ContentMissing"]]);
    const { entries } = await subject.client.controller.controllerListVolumeHealth({});
    expect(entries.map(({ volumeId }) => volumeId)).toEqual([lost]);
    expect(entries[0]?.healthStatuses[0]?.message).toContain(imageOf(lost));
    renameSync(join(subject.folder, "elsewhere"), imageOf(lost));
    expect(await healthOf(lost)).toEqual([]);
  });

  it("is lost where its image was cut short, also of a raw volume", async () => {
    const capability = blockCapability();
    const volumeId = await createVolume(subject, "cut", { capability, bytes: 8n * mebibyte });
    truncateSync(imageOf(volumeId), 4 << 20);
    expect(await healthOf(volumeId)).toEqual([["DATA_LOSS", "ContentTooShort"]]);
  });

  it("is degraded after the kernel met an error in its ext4, and good again once checked", async () => {
    const capability = mountCapability("ext4", undefined, ["errors=continue"]);
    const volumeId = await createVolume(subject, "hurt", { capability });
    await publish(subject, volumeId, { capability });
    writeFileSync(`/sys/fs/ext4/${deviceOf()}/trigger_fs_error`, "a test");
    expect(await healthOf(volumeId)).toEqual([["DEGRADED", "FileSystemErrors"]]);
    await unpublish(subject, volumeId);
    command("e2fsck", "-f", "-p", imageOf(volumeId));
    await publish(subject, volumeId, { capability });
    expect(await healthOf(volumeId)).toEqual([]);
  });

  it("is degraded after its btrfs has met data that was damaged on disk", async () => {
    const capability = mountCapability("btrfs");
    const volumeId = await createVolume(subject, "rotten", { capability, bytes: testSize("btrfs") });
    const path = join(await publish(subject, volumeId, { capability }), "data");
    const pattern = "found on disk by these words ";
    writeFileSync(path, pattern.repeat(4096), { flush: true });
    await unpublish(subject, volumeId);
    damage(imageOf(volumeId), pattern);
    await publish(subject, volumeId, { capability });
    expect(await healthOf(volumeId)).toEqual([]);
    expect(() => readFileSync(path)).toThrow("EIO");
    expect(await healthOf(volumeId)).toEqual([["DEGRADED", "FileSystemErrors"]]);
  });

  it("is degraded where an error has made its file system read-only", async () => {
    const capability = mountCapability("ext4", undefined, ["errors=remount-ro"]);
    const volumeId = await createVolume(subject, "frozen", { capability });
    const target = await publish(subject, volumeId, { capability });
    writeFileSync(`/sys/fs/ext4/${deviceOf()}/trigger_fs_error`, "a test");
    expect(() => writeFileSync(join(target, "x"), "")).toThrow("EROFS");
    expect(await healthOf(volumeId)).toEqual([
      ["DEGRADED", "FileSystemErrors"],
      ["DEGRADED", "FileSystemReadOnly"],
    ]);
  });

  it.each(["ext4", "xfs", "btrfs"])("is degraded where somebody has remounted its %s read-only", async (fsType) => {
    const capability = mountCapability(fsType);
    const volumeId = await createVolume(subject, "remounted", { capability, bytes: testSize(fsType) });
    await publish(subject, volumeId, { capability });
    command("mount", "-o", "remount,ro", subject.at(`stage-${volumeId}`));
    expect(await healthOf(volumeId)).toEqual([["DEGRADED", "FileSystemReadOnly"]]);
  });

  it.each(["ext4", "xfs"])("is inaccessible where the kernel has shut its %s down", async (fsType) => {
    const capability = mountCapability(fsType);
    const volumeId = await createVolume(subject, "down", { capability, bytes: testSize(fsType) });
    const target = await publish(subject, volumeId, { capability });
    command("xfs_io", "-x", "-c", "shutdown", target);
    expect(await healthOf(volumeId)).toEqual([["INACCESSIBLE", "FileSystemShutDown"]]);
    expect(await nodeHealthOf(volumeId)).toEqual(["FileSystemShutDown"]);
  });

  it("is inaccessible on the node where its mounts are gone", async () => {
    const volumeId = await createVolume(subject, "unmounted");
    const target = await publish(subject, volumeId);
    command("umount", target);
    expect(await nodeHealthOf(volumeId)).toEqual(["NotPublished"]);
    command("umount", subject.at(`stage-${volumeId}`));
    expect(await nodeHealthOf(volumeId)).toEqual(["NotStaged", "NotPublished"]);
    // The volume itself is well.
    expect(await healthOf(volumeId)).toEqual([]);
  });

  it("of a raw one is inaccessible on the node where it is not published, and good after a restart", async () => {
    const capability = blockCapability();
    const volumeId = await createVolume(subject, "raw", { capability, bytes: 8n * mebibyte });
    expect(await nodeHealthOf(volumeId)).toEqual(["NotPublished"]);
    await publish(subject, volumeId, { capability });
    await subject.stop();
    await subject.start(driverOptions);
    expect(await nodeHealthOf(volumeId)).toEqual([]);
    await unpublish(subject, volumeId);
    expect(await nodeHealthOf(volumeId)).toEqual(["NotPublished"]);
  });

  it("is told as its condition to callers of CSI 1.12", async () => {
    const volumeId = await createVolume(subject, "older");
    const volumePath = await publish(subject, volumeId);
    await subject.stop();
    await subject.start({ contents: "image" });
    command("mount", "-o", "remount,ro", subject.at(`stage-${volumeId}`));
    const { volumeCondition } = await subject.client.node.nodeGetVolumeStats({ volumeId, volumePath });
    expect(volumeCondition).toMatchObject({ abnormal: true, message: expect.stringContaining("read-only") });
  });
});

const storageHealth = async () => {
  const { backendHealth } = await subject.client.node.nodeGetStorageHealth({});
  return backendHealth.map(({ status, reason }) => [StorageHealth[status], reason]);
};

describe.runIf(isRoot)("the health of the node's storage (needs root)", () => {
  it("is good, degraded on a full disk, and good again when there is space", async () => {
    subject = await DriverUnderTest.startedOn({ fsType: "ext4", bytes: 32n * mebibyte }, driverOptions);
    expect(await storageHealth()).toEqual([]);
    command("sh", "-c", `cat /dev/zero > '${subject.stateDir}/filler' 2>&1 || true`);
    expect(await storageHealth()).toEqual([["STORAGE_DEGRADED", "DiskFull"]]);
    command("rm", join(subject.stateDir, "filler"));
    expect(await storageHealth()).toEqual([]);
  });

  it("is degraded where nothing but the reserve is left", async () => {
    const reserveBytes = 1024n * mebibyte;
    subject = await DriverUnderTest.startedOn({ fsType: "ext4", bytes: 32n * mebibyte }, driverOptions);
    await subject.stop();
    await subject.start({ ...driverOptions, reserveBytes });
    const { backendHealth } = await subject.client.node.nodeGetStorageHealth({});
    expect(backendHealth[0]).toMatchObject({ reason: "DiskFull", message: expect.stringContaining(`${reserveBytes}`) });
  });

  it("is degraded on a disk that is read-only, and unreachable on one that is dead", async () => {
    subject = await DriverUnderTest.startedOn({ fsType: "ext4", bytes: 32n * mebibyte }, driverOptions);
    command("mount", "-o", "remount,ro", subject.stateDir);
    expect(await storageHealth()).toEqual([["STORAGE_DEGRADED", "StateDirectoryReadOnly"]]);
    command("mount", "-o", "remount,rw", subject.stateDir);
    expect(await storageHealth()).toEqual([]);
    command("xfs_io", "-x", "-c", "shutdown", subject.stateDir);
    expect(await storageHealth()).toEqual([["STORAGE_UNREACHABLE", "StateDirectoryUnreachable"]]);
  });
});
