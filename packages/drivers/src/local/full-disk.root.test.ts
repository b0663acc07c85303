import { readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { command, DriverUnderTest, isRoot, mebibyte } from "./fixtures/driver-under-test.ts";
import { createVolume, failureOf, publish, unpublish } from "./fixtures/volume-user.ts";

let subject: DriverUnderTest;
const bytes = 16n * mebibyte;
const filler = () => join(subject.stateDir, "filler");

const freeBytes = () => {
  const { bsize, bavail } = statfsSync(subject.stateDir);
  return bsize * bavail;
};

// A file system of its own, without blocks set aside for root, filled to the last block.
describe.runIf(isRoot)("a disk that is full to the last block (needs root)", () => {
  let volumeId = "";
  let snapshotId = "";
  beforeEach(async () => {
    subject = await DriverUnderTest.startedOn({ fsType: "ext4", bytes: 96n * mebibyte, makeFlags: ["-m", "0"] });
    volumeId = await createVolume(subject, "v", { bytes });
    const { snapshot } = await subject.client.controller.createSnapshot({ name: "s", sourceVolumeId: volumeId });
    snapshotId = snapshot?.snapshotId ?? "";
    writeFileSync(join(await publish(subject, volumeId), "note"), "kept", { flush: true });
    // In small pieces at the end, for the blocks that a large one leaves.
    for (const size of ["1M", "1k"]) {
      const fill = `dd if=/dev/zero of='${filler()}' bs=${size} oflag=append conv=notrunc,fsync 2>/dev/null || true`;
      command("sh", "-c", fill);
    }
    expect(freeBytes()).toBe(0);
  });
  afterEach(() => subject[Symbol.asyncDispose]());

  /** A mounted ext4 may be refused for another reason. */
  async function expandIdle(capacityRange: { requiredBytes: bigint }): Promise<void> {
    await unpublish(subject, volumeId);
    await subject.client.controller.controllerExpandVolume({ volumeId, capacityRange });
  }

  it("refuses what needs space with RESOURCE_EXHAUSTED and the volume's name, and leaves nothing behind", async () => {
    const { controller, groupController } = subject.client;
    const capacityRange = { requiredBytes: 2n * bytes };
    const mutableParameters = { readAheadKiB: "64" };
    const attempts: [name: string, call: () => Promise<unknown>][] = [
      ["another", () => createVolume(subject, "another", { bytes })],
      ["copy", () => createVolume(subject, "copy", { bytes, source: { volumeId } })],
      ["late", () => controller.createSnapshot({ name: "late", sourceVolumeId: volumeId })],
      ["both", () => groupController.createVolumeGroupSnapshot({ name: "both", sourceVolumeIds: [volumeId] })],
      [volumeId, () => controller.controllerModifyVolume({ volumeId, mutableParameters })],
      [volumeId, () => expandIdle(capacityRange)],
    ];
    for (const [name, call] of attempts) {
      const { code, message } = await failureOf(call());
      expect(code).toBe("RESOURCE_EXHAUSTED");
      expect(message).toContain(name);
    }
    expect(readdirSync(join(subject.stateDir, "contents/volumes"))).toEqual([volumeId]);
    expect(readdirSync(join(subject.stateDir, "contents/snapshots"))).toEqual([snapshotId]);
    expect(readdirSync(join(subject.stateDir, "intents"))).toEqual([]);
  });

  it("lets the driver start, and volumes be unmounted and deleted, which makes room again", async () => {
    await subject.stop();
    await subject.start({ contents: "image" });
    await unpublish(subject, volumeId);
    await subject.client.controller.deleteSnapshot({ snapshotId });
    await subject.client.controller.deleteVolume({ volumeId });
    expect(freeBytes()).toBeGreaterThan(0);
    await subject.stop();
    await subject.start({ contents: "image" });
    expect((await subject.client.controller.listVolumes({})).entries).toEqual([]);
    expect((await subject.client.controller.listSnapshots({})).entries).toEqual([]);
  });

  it("loses nothing: with space, the volume is changed as before", async () => {
    const mutableParameters = { readAheadKiB: "64" };
    await failureOf(subject.client.controller.controllerModifyVolume({ volumeId, mutableParameters }));
    rmSync(filler());
    await subject.stop();
    await subject.start({ contents: "image" });
    const { entries } = await subject.client.controller.listVolumes({});
    expect(entries.map(({ volume, status }) => [volume?.volumeId, status?.volumeCondition?.abnormal])).toEqual([
      [volumeId, false],
    ]);
    await subject.client.controller.controllerModifyVolume({ volumeId, mutableParameters });
    await createVolume(subject, "copy", { bytes, source: { volumeId } });
  });
});

describe.runIf(isRoot)("the space that volumes are given (needs root)", () => {
  const disk = { fsType: "ext4", bytes: 96n * mebibyte } as const;
  afterEach(() => subject[Symbol.asyncDispose]());

  it("is what is free, less the reserve", async () => {
    const reserveBytes = 32n * mebibyte;
    subject = await DriverUnderTest.startedOn(disk, { reserveBytes });
    const { availableCapacity } = await subject.client.controller.getCapacity({});
    expect(availableCapacity).toBe(BigInt(freeBytes()) - reserveBytes);
    const tooLarge = await failureOf(createVolume(subject, "large", { bytes: availableCapacity + mebibyte }));
    expect(tooLarge).toMatchObject({ code: "RESOURCE_EXHAUSTED", message: expect.stringContaining("large") });
    await createVolume(subject, "fits", { bytes: bytes });
  });

  it("shrinks by what is really written", async () => {
    subject = await DriverUnderTest.startedOn(disk);
    const available = async () => (await subject.client.controller.getCapacity({})).availableCapacity;
    const volumeId = await createVolume(subject, "v", { bytes: 32n * mebibyte });
    const target = await publish(subject, volumeId);
    const before = await available();
    writeFileSync(join(target, "data"), Buffer.alloc(12 << 20, "x"), { flush: true });
    command("sync", "--file-system", subject.stateDir);
    expect(before - (await available())).toBeGreaterThanOrEqual(12n * mebibyte);
  });
});
