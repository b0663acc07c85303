import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { VolumeCapability_AccessMode_Mode as Mode } from "@stowage/csi";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  blockCapability,
  command,
  DriverUnderTest,
  isRoot,
  mebibyte,
  mountCapability,
} from "./fixtures/driver-under-test.ts";
import { createVolume, failureOf, publish, testSize, unpublish } from "./fixtures/volume-user.ts";
import { hasSysResource } from "./storage/capabilities.ts";

const canGrowMountedExt4 = await hasSysResource();

let subject: DriverUnderTest;
afterEach(() => subject[Symbol.asyncDispose]());

// Loop devices and mounts need root; without it the driver keeps directories, which the last block covers.
describe.runIf(isRoot)("a volume in an image file (needs root)", () => {
  beforeEach(async () => {
    subject = await DriverUnderTest.started({ contents: "image" });
  });

  describe.each(["ext4", "xfs", "btrfs"])("with %s", (fsType) => {
    const capability = mountCapability(fsType);
    const bytes = testSize(fsType);

    it("keeps what was written, and its copies have it too", async () => {
      const original = await createVolume(subject, "original", { capability, bytes });
      writeFileSync(join(await publish(subject, original, { capability }), "note"), "kept", { flush: true });
      const { snapshot } = await subject.client.controller.createSnapshot({ name: "s", sourceVolumeId: original });
      const clone = await createVolume(subject, "clone", { capability, bytes, source: { volumeId: original } });
      writeFileSync(join(subject.at(`target-${original}`), "note"), "changed", { flush: true });
      const source = { snapshotId: snapshot?.snapshotId ?? "" };
      const restored = await createVolume(subject, "restored", { capability, bytes: bytes * 2n, source });
      // All at once: copies must not be taken for their originals.
      for (const copy of [clone, restored]) {
        expect(readFileSync(join(await publish(subject, copy, { capability }), "note"), "utf8")).toBe("kept");
      }
      expect(readFileSync(join(subject.at(`target-${original}`), "note"), "utf8")).toBe("changed");
      const { bsize, blocks } = statfsSync(subject.at(`target-${restored}`));
      expect(bsize * blocks).toBeGreaterThan(Number(bytes) * 1.5);
    });

    it("is as large as was asked for and no larger", async () => {
      const volumeId = await createVolume(subject, "quota", { capability, bytes });
      const target = await publish(subject, volumeId, { capability });
      expect(() => writeFileSync(join(target, "big"), Buffer.alloc(Number(bytes)))).toThrow("ENOSPC");
    });

    it("grows when it is next mounted", async () => {
      const volumeId = await createVolume(subject, "grown", { capability, bytes });
      await publish(subject, volumeId, { capability });
      await unpublish(subject, volumeId);
      const capacityRange = { requiredBytes: bytes * 2n };
      const answer = await subject.client.controller.controllerExpandVolume({ volumeId, capacityRange });
      expect(answer).toMatchObject({ capacityBytes: bytes * 2n, nodeExpansionRequired: true });
      const volumePath = await publish(subject, volumeId, { capability });
      await subject.client.node.nodeExpandVolume({ volumeId, volumePath });
      const { bsize, blocks } = statfsSync(volumePath);
      expect(bsize * blocks).toBeGreaterThan(Number(bytes) * 1.5);
    });
  });

  it.each(["xfs", "btrfs"])("grows while it is mounted, with %s", async (fsType) => {
    const capability = mountCapability(fsType);
    const bytes = testSize(fsType);
    const volumeId = await createVolume(subject, "online", { capability, bytes });
    const volumePath = await publish(subject, volumeId, { capability });
    await subject.client.controller.controllerExpandVolume({ volumeId, capacityRange: { requiredBytes: bytes * 2n } });
    const answer = await subject.client.node.nodeExpandVolume({ volumeId, volumePath });
    expect(answer.capacityBytes).toBe(bytes * 2n);
    const { bsize, blocks } = statfsSync(volumePath);
    expect(bsize * blocks).toBeGreaterThan(Number(bytes) * 1.5);
  });

  it("leaves neither mount nor loop device nor file when it is deleted", async () => {
    const volumeId = await createVolume(subject, "gone");
    await publish(subject, volumeId);
    const inUse = await failureOf(subject.client.controller.deleteVolume({ volumeId }));
    expect(inUse.code).toBe("FAILED_PRECONDITION");
    expect(inUse.message).toContain(subject.at(`stage-${volumeId}`));
    await unpublish(subject, volumeId);
    await subject.client.controller.deleteVolume({ volumeId });
    expect(subject.mountPoints()).toEqual([]);
    expect(subject.loopDevices()).toEqual([]);
    expect((await subject.client.controller.listVolumes({})).entries).toEqual([]);
  });

  it("is read-only where it was published so, and nowhere else", async () => {
    const volumeId = await createVolume(subject, "shared");
    const writable = await publish(subject, volumeId);
    const readOnly = await publish(subject, volumeId, { target: "reader", isReadOnly: true });
    expect(() => writeFileSync(join(readOnly, "x"), "")).toThrow("EROFS");
    writeFileSync(join(writable, "x"), "");
  });

  it("has one target only for a single writer", async () => {
    const capability = mountCapability("ext4", Mode.SINGLE_NODE_SINGLE_WRITER);
    const volumeId = await createVolume(subject, "single", { capability });
    await publish(subject, volumeId, { capability });
    await publish(subject, volumeId, { capability });
    const second = await failureOf(publish(subject, volumeId, { capability, target: "second" }));
    expect(second.code).toBe("FAILED_PRECONDITION");
  });

  it("is mounted with the options that were asked for", async () => {
    const capability = mountCapability("ext4", Mode.SINGLE_NODE_WRITER, ["noatime"]);
    const volumeId = await createVolume(subject, "options", { capability });
    const target = await publish(subject, volumeId, { capability });
    expect(execFileSync("findmnt", ["-n", "-o", "OPTIONS", target], { encoding: "utf8" })).toContain("noatime");
  });

  it("tells how full it is", async () => {
    const volumeId = await createVolume(subject, "stats");
    const volumePath = await publish(subject, volumeId);
    const { usage, volumeCondition } = await subject.client.node.nodeGetVolumeStats({ volumeId, volumePath });
    expect(usage.map(({ total }) => total > 0n)).toEqual([true, true]);
    expect(volumeCondition?.abnormal).toBe(false);
    const elsewhere = subject.at("elsewhere");
    const lost = await failureOf(subject.client.node.nodeGetVolumeStats({ volumeId, volumePath: elsewhere }));
    expect(lost.code).toBe("NOT_FOUND");
  });

  it("is a raw device of its size, with a read-only one beside it", async () => {
    const capability = blockCapability();
    const volumeId = await createVolume(subject, "raw", { capability, bytes: 8n * mebibyte });
    const writable = await publish(subject, volumeId, { capability });
    const readOnly = await publish(subject, volumeId, { capability, target: "reader", isReadOnly: true });
    expect(statSync(writable).isBlockDevice()).toBe(true);
    expect(execFileSync("blockdev", ["--getsize64", writable], { encoding: "utf8" }).trim()).toBe(`${8n * mebibyte}`);
    expect(execFileSync("blockdev", ["--getro", readOnly], { encoding: "utf8" }).trim()).toBe("1");
    expect(execFileSync("blockdev", ["--getro", writable], { encoding: "utf8" }).trim()).toBe("0");
    await unpublish(subject, volumeId, "reader");
    await unpublish(subject, volumeId);
    expect(subject.loopDevices()).toEqual([]);
  });

  it("is a raw device that grows while it is used, and refuses writes beyond its end", async () => {
    const capability = blockCapability();
    const bytes = 8n * mebibyte;
    const volumeId = await createVolume(subject, "raw", { capability, bytes });
    const volumePath = await publish(subject, volumeId, { capability });
    const write = (offsetBytes: bigint) =>
      command("dd", "if=/dev/zero", `of=${volumePath}`, "bs=4096", "count=1", `seek=${offsetBytes / 4096n}`);
    expect(() => write(bytes)).toThrow("No space left on device");
    await subject.client.controller.controllerExpandVolume({ volumeId, capacityRange: { requiredBytes: 2n * bytes } });
    await subject.client.node.nodeExpandVolume({ volumeId, volumePath });
    write(bytes);
    expect(() => write(2n * bytes)).toThrow("No space left on device");
  });

  it("cannot be made from one with another file system", async () => {
    const original = await createVolume(subject, "original");
    const wish = { capability: mountCapability("xfs"), bytes: testSize("xfs"), source: { volumeId: original } };
    const refused = await failureOf(createVolume(subject, "converted", wish));
    expect(refused).toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringMatching(/converted.*ext4/) });
  });

  it("whose state file is damaged can still be unmounted, and is used again once the file is whole", async () => {
    const volumeId = await createVolume(subject, "hurt");
    writeFileSync(join(await publish(subject, volumeId), "note"), "kept", { flush: true });
    await subject.stop();
    const path = join(subject.stateDir, "volumes", `${volumeId}.json`);
    const whole = readFileSync(path);
    writeFileSync(path, whole.subarray(0, 100));
    await subject.start({ contents: "image" });
    const refused = await failureOf(publish(subject, volumeId));
    expect(refused).toMatchObject({ code: "DATA_LOSS", message: expect.stringContaining(volumeId) });
    await unpublish(subject, volumeId);
    expect(subject.loopDevices()).toEqual([]);
    await subject.stop();
    // As the message says.
    writeFileSync(path, whole);
    rmSync(join(subject.stateDir, "broken", `volume-${volumeId}.json`));
    await subject.start({ contents: "image" });
    expect(readFileSync(join(await publish(subject, volumeId), "note"), "utf8")).toBe("kept");
  });

  it("comes and goes with its Pod when it is inline", async () => {
    const volumeContext = { "csi.storage.k8s.io/ephemeral": "true", size: "32Mi" };
    const targetPath = subject.at("inline");
    const request = { volumeId: "csi-inline", targetPath, volumeCapability: mountCapability(), volumeContext };
    await subject.client.node.nodePublishVolume(request);
    await subject.client.node.nodePublishVolume(request);
    writeFileSync(join(targetPath, "scratch"), "x");
    await subject.client.node.nodeUnpublishVolume({ volumeId: "csi-inline", targetPath });
    expect(subject.loopDevices()).toEqual([]);
    expect((await subject.client.controller.listVolumes({})).entries).toEqual([]);
  });

  it("is limited by what a VolumeAttributesClass sets", async () => {
    const volumeId = await createVolume(subject, "limited");
    await publish(subject, volumeId);
    await subject.client.controller.controllerModifyVolume({ volumeId, mutableParameters: { readAheadKiB: "64" } });
    const [device = ""] = subject.loopDevices();
    expect(readFileSync(`/sys/block/${device.slice("/dev/".length)}/queue/read_ahead_kb`, "utf8").trim()).toBe("64");
    const mutableParameters = { colour: "blue" };
    const unknown = await failureOf(subject.client.controller.controllerModifyVolume({ volumeId, mutableParameters }));
    expect(unknown.code).toBe("INVALID_ARGUMENT");
  });

  // Which of the two can be seen depends on the process's capabilities; each machine runs the one that holds there.
  it.runIf(canGrowMountedExt4)("grows while it is mounted, with ext4 and CAP_SYS_RESOURCE", async () => {
    const volumeId = await createVolume(subject, "ext4-online");
    const volumePath = await publish(subject, volumeId);
    const capacityRange = { requiredBytes: testSize("ext4") * 2n };
    await subject.client.controller.controllerExpandVolume({ volumeId, capacityRange });
    const { capacityBytes } = await subject.client.node.nodeExpandVolume({ volumeId, volumePath });
    expect(capacityBytes).toBe(capacityRange.requiredBytes);
  });

  it.skipIf(canGrowMountedExt4)(
    "is not grown while mounted with ext4 without CAP_SYS_RESOURCE, and it says why",
    async () => {
      const volumeId = await createVolume(subject, "ext4-online");
      await publish(subject, volumeId);
      const capacityRange = { requiredBytes: testSize("ext4") * 2n };
      const refused = await failureOf(subject.client.controller.controllerExpandVolume({ volumeId, capacityRange }));
      expect(refused).toMatchObject({
        code: "FAILED_PRECONDITION",
        message: expect.stringContaining("CAP_SYS_RESOURCE"),
      });
    },
  );
});

describe.runIf(isRoot)("a disk that is full (needs root)", () => {
  it("ends a snapshot with RESOURCE_EXHAUSTED and leaves nothing of it behind", async () => {
    subject = await DriverUnderTest.started({ contents: "image" });
    await subject.stop();
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64m", "tmpfs", subject.stateDir]);
    await subject.start({ contents: "image" });
    const volumeId = await createVolume(subject, "filled", { bytes: 48n * mebibyte });
    const target = await publish(subject, volumeId);
    writeFileSync(join(target, "data"), Buffer.alloc(36 << 20, "x"), { flush: true });
    const refused = await failureOf(subject.client.controller.createSnapshot({ name: "s", sourceVolumeId: volumeId }));
    expect(refused.code).toBe("RESOURCE_EXHAUSTED");
    expect((await subject.client.controller.listSnapshots({})).entries).toEqual([]);
    expect(execFileSync("ls", [join(subject.stateDir, "contents/snapshots")], { encoding: "utf8" })).toBe("");
    // And the volume's writers go on.
    writeFileSync(join(target, "more"), "x", { flush: true });
    const large = await failureOf(createVolume(subject, "large", { bytes: 512n * mebibyte }));
    expect(large.code).toBe("RESOURCE_EXHAUSTED");
    expect(large.message).toContain("node-1");
  });
});
