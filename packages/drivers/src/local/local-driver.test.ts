import { readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { VolumeCapability_AccessMode_Mode as Mode } from "@stowage/csi";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { blockCapability, DriverUnderTest, mebibyte, mountCapability } from "./fixtures/driver-under-test.ts";
import { createVolume, failureOf, publish, unpublish } from "./fixtures/volume-user.ts";

let subject: DriverUnderTest;
afterEach(() => subject[Symbol.asyncDispose]());

// Directories, which need no root; loop devices and real file systems are in local-driver.root.test.ts.
describe("what is asked for wrongly or cannot be had", () => {
  beforeEach(async () => {
    subject = await DriverUnderTest.started({ contents: "directory" });
  });

  it.each(["a".repeat(128), "ä/ö", "-rf *"])("the name %s is a name like any other", async (name) => {
    const volumeId = await createVolume(subject, name);
    expect(await createVolume(subject, name)).toBe(volumeId);
    expect(volumeId).toMatch(/^vol-[0-9a-f]{32}$/);
    await subject.client.controller.deleteVolume({ volumeId });
  });

  it.each(["../../etc/passwd", "..", "a".repeat(129), ""])("the name %s is refused", async (name) => {
    expect((await failureOf(createVolume(subject, name))).code).toBe("INVALID_ARGUMENT");
  });

  it.each([
    [0n, "INVALID_ARGUMENT"],
    [-1n, "INVALID_ARGUMENT"],
    // What 2^63 is once it is on the wire.
    [-(2n ** 63n), "INVALID_ARGUMENT"],
    [2n ** 63n - 1n, "OUT_OF_RANGE"],
  ] as const)("a size of %d is refused with %s", async (bytes, code) => {
    const refused = await failureOf(createVolume(subject, "odd-size", { bytes }));
    expect(refused).toMatchObject({ code, message: expect.stringContaining("odd-size") });
    expect((await subject.client.controller.listVolumes({})).entries).toEqual([]);
  });

  it("a size that is beyond any disk is refused with the volume's name and the largest size", async () => {
    const { message } = await failureOf(createVolume(subject, "huge", { bytes: 2n ** 63n - 1n }));
    expect(message).toMatch(/^volume vol-[0-9a-f]{32} \(huge\): .*Ask for at most \d+ bytes\.$/);
  });

  it("a target outside kubelet's directory is refused, and nothing is made there", async () => {
    const volumeId = await createVolume(subject, "v");
    const request = { volumeId, stagingTargetPath: subject.at("s"), volumeCapability: mountCapability() };
    const publishAt = (targetPath: string) =>
      failureOf(subject.client.node.nodePublishVolume({ ...request, targetPath }));
    const outside = await publishAt(join(subject.folder, "outside"));
    expect(outside).toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringContaining(volumeId) });
    symlinkSync(subject.folder, subject.at("way-out"));
    expect((await publishAt(subject.at("way-out/outside"))).code).toBe("INVALID_ARGUMENT");
    expect((await publishAt(`${subject.at("x")}/../../outside`)).code).toBe("INVALID_ARGUMENT");
    expect(() => statSync(join(subject.folder, "outside"))).toThrow("ENOENT");
  });

  it("a staging path outside kubelet's directory is refused", async () => {
    const volumeId = await createVolume(subject, "v");
    const stagingTargetPath = join(subject.folder, "outside");
    const request = { volumeId, stagingTargetPath, volumeCapability: mountCapability() };
    const refused = await failureOf(subject.client.node.nodeStageVolume(request));
    expect(refused).toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringContaining(volumeId) });
    expect(refused.message).toContain(subject.at(""));
    expect(() => statSync(stagingTargetPath)).toThrow("ENOENT");
  });

  const { MULTI_NODE_MULTI_WRITER, SINGLE_NODE_WRITER } = Mode;
  it.each([
    ["several nodes that write", [mountCapability("", MULTI_NODE_MULTI_WRITER)], "MULTI_NODE_MULTI_WRITER"],
    [
      "one use that can be served and one that cannot",
      [mountCapability(), mountCapability("", Mode.MULTI_NODE_SINGLE_WRITER)],
      "one node",
    ],
    ["two file systems at once", [mountCapability("ext4"), mountCapability("xfs")], "ext4 and xfs"],
    ["a device and a file system at once", [mountCapability(), blockCapability()], "at once"],
    ["a mount option of the driver's own", [mountCapability("", SINGLE_NODE_WRITER, ["bind"])], "bind"],
    ["mount options in one", [mountCapability("", SINGLE_NODE_WRITER, ["noatime,dev"])], "noatime,dev"],
    ["no access mode", [mountCapability("", Mode.UNKNOWN)], "access mode"],
    ["no capability", [], "volume_capabilities"],
  ])("%s are refused, and nothing is made", async (_what, volumeCapabilities, word) => {
    const refused = await failureOf(subject.client.controller.createVolume({ name: "odd", volumeCapabilities }));
    expect(refused).toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringContaining(word) });
    expect(refused.message).toContain("odd");
    expect((await subject.client.controller.listVolumes({})).entries).toEqual([]);
  });

  it.each([
    ["a/b", "1Gi", "a/b"],
    [".hidden", "1Gi", ".hidden"],
    ["inline-1", "many", "many"],
    ["inline-1", "-1Gi", "-1Gi"],
    ["inline-1", "0", "size"],
    ["inline-1", "8Ei", "at most"],
  ])("an inline volume %s of %s is refused, and nothing is made", async (volumeId, size, word) => {
    const volumeContext = { "csi.storage.k8s.io/ephemeral": "true", size };
    const request = { volumeId, targetPath: subject.at("t"), volumeCapability: mountCapability(), volumeContext };
    const refused = await failureOf(subject.client.node.nodePublishVolume(request));
    expect(refused.code).toMatch(/^(INVALID_ARGUMENT|OUT_OF_RANGE)$/);
    expect(refused.message).toContain(volumeId);
    expect(refused.message).toContain(word);
    expect((await subject.client.controller.listVolumes({})).entries).toEqual([]);
  });

  it("a volume for another node is refused, and there is no capacity for it", async () => {
    const accessibleTopology = { segments: { "topology.local.csi.stowage.dev/node": "node-2" } };
    const refused = await failureOf(
      subject.client.controller.createVolume({
        name: "elsewhere",
        volumeCapabilities: [mountCapability()],
        accessibilityRequirements: { requisite: [accessibleTopology] },
      }),
    );
    expect(refused).toMatchObject({ code: "RESOURCE_EXHAUSTED", message: expect.stringContaining("(elsewhere)") });
    const { availableCapacity } = await subject.client.controller.getCapacity({ accessibleTopology });
    expect(availableCapacity).toBe(0n);
  });

  it("the same name with another size is refused", async () => {
    await createVolume(subject, "twice", { bytes: 32n * mebibyte });
    expect((await failureOf(createVolume(subject, "twice", { bytes: 64n * mebibyte }))).code).toBe("ALREADY_EXISTS");
  });
});

describe("a state file that is damaged", () => {
  it("is kept aside; its volume is reported broken and the others are served", async () => {
    subject = await DriverUnderTest.started({ contents: "directory" });
    const broken = await createVolume(subject, "broken");
    const whole = await createVolume(subject, "whole");
    await subject.stop();
    writeFileSync(join(subject.stateDir, "volumes", `${broken}.json`), '{"schema":1,"kind":"volume","chec');
    await subject.start({ contents: "directory" });
    const { entries } = await subject.client.controller.listVolumes({});
    const conditions = entries.map(({ volume, status }) => [volume?.volumeId, status?.volumeCondition?.abnormal]);
    expect(Object.fromEntries(conditions)).toEqual({ [broken]: true, [whole]: false });
    await publish(subject, whole, { capability: mountCapability() });
    const again = await failureOf(createVolume(subject, "broken"));
    expect(again).toMatchObject({ code: "DATA_LOSS", message: expect.stringContaining(broken) });
    const deleted = await failureOf(subject.client.controller.deleteVolume({ volumeId: broken }));
    expect(deleted.code).toBe("FAILED_PRECONDITION");
    const kept = join(subject.stateDir, "broken", `volume-${broken}.json`);
    expect(readFileSync(kept, "utf8")).toContain('"chec');
    expect(statSync(join(subject.stateDir, "contents/volumes", broken)).isDirectory()).toBe(true);
  });
});

describe("a group snapshot whose state file is damaged", () => {
  it("is neither taken again, nor taken for deleted, and its members stay", async () => {
    subject = await DriverUnderTest.started({ contents: "directory" });
    const request = { name: "group", sourceVolumeIds: [await createVolume(subject, "v")] };
    const { groupSnapshot } = await subject.client.groupController.createVolumeGroupSnapshot(request);
    const groupSnapshotId = groupSnapshot?.groupSnapshotId ?? "";
    const snapshotIds = groupSnapshot?.snapshots.map(({ snapshotId }) => snapshotId) ?? [];
    await subject.stop();
    writeFileSync(join(subject.stateDir, "groups", `${groupSnapshotId}.json`), "");
    await subject.start({ contents: "directory" });
    const { groupController } = subject.client;
    for (const call of [
      () => groupController.createVolumeGroupSnapshot(request),
      () => groupController.getVolumeGroupSnapshot({ groupSnapshotId, snapshotIds }),
      () => groupController.deleteVolumeGroupSnapshot({ groupSnapshotId, snapshotIds }),
    ]) {
      expect(await failureOf(call())).toMatchObject({
        code: "DATA_LOSS",
        message: expect.stringContaining(groupSnapshotId),
      });
    }
    const { entries } = await subject.client.controller.listSnapshots({});
    expect(entries.map(({ snapshot }) => snapshot?.snapshotId)).toEqual(snapshotIds);
  });
});

describe("a snapshot whose state file is damaged", () => {
  it("is neither restored, nor deleted, nor taken for missing", async () => {
    subject = await DriverUnderTest.started({ contents: "directory" });
    const sourceVolumeId = await createVolume(subject, "v");
    const { snapshot } = await subject.client.controller.createSnapshot({ name: "s", sourceVolumeId });
    const snapshotId = snapshot?.snapshotId ?? "";
    await subject.stop();
    writeFileSync(join(subject.stateDir, "snapshots", `${snapshotId}.json`), "");
    await subject.start({ contents: "directory" });
    for (const call of [
      () => createVolume(subject, "restored", { source: { snapshotId } }),
      () => subject.client.controller.createSnapshot({ name: "s", sourceVolumeId }),
      () => subject.client.controller.getSnapshot({ snapshotId }),
      () => subject.client.controller.deleteSnapshot({ snapshotId }),
    ]) {
      const refused = await failureOf(call());
      expect(refused).toMatchObject({ code: "DATA_LOSS", message: expect.stringContaining(snapshotId) });
    }
    expect(statSync(join(subject.stateDir, "contents/snapshots", snapshotId)).isDirectory()).toBe(true);
  });
});

describe("a driver without root", () => {
  it("keeps volumes as directories, and says what they lack", async () => {
    subject = await DriverUnderTest.started({ contents: "directory" });
    const volumeId = await createVolume(subject, "plain", { capability: mountCapability() });
    const target = await publish(subject, volumeId, { capability: mountCapability() });
    writeFileSync(join(target, "note"), "kept");
    const { snapshot } = await subject.client.controller.createSnapshot({ name: "s", sourceVolumeId: volumeId });
    const source = { snapshotId: snapshot?.snapshotId ?? "" };
    const restored = await createVolume(subject, "restored", { capability: mountCapability(), source });
    const copy = await publish(subject, restored, { capability: mountCapability() });
    expect(readFileSync(join(copy, "note"), "utf8")).toBe("kept");
    const { status } = await subject.client.controller.controllerGetVolume({ volumeId });
    expect(status?.volumeCondition?.message).toContain("not enforced");
    const raw = await failureOf(createVolume(subject, "raw", { capability: blockCapability() }));
    expect(raw).toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringContaining("root") });
    expect((await failureOf(subject.client.controller.deleteVolume({ volumeId }))).code).toBe("FAILED_PRECONDITION");
    await unpublish(subject, volumeId);
    await subject.client.controller.deleteVolume({ volumeId });
  });
});

describe("volumes that are tagged", () => {
  it("are listed and destroyed by their tag, except those in use", async () => {
    const extraLabels = { cluster: "a" };
    subject = await DriverUnderTest.started({ contents: "directory", extraLabels });
    const used = await createVolume(subject, "used");
    const idle = await createVolume(subject, "idle");
    await publish(subject, used, { capability: mountCapability() });
    expect(
      subject.driver
        .volumesTagged({ cluster: "a" })
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["idle", "used"]);
    expect(subject.driver.volumesTagged({ cluster: "b" })).toEqual([]);
    expect(subject.driver.volumesTagged({})).toEqual([]);
    const { destroyed, refused } = await subject.driver.destroyTagged({ cluster: "a" });
    expect(destroyed).toEqual([idle]);
    expect(refused.map(({ id }) => id)).toEqual([used]);
  });

  it("are destroyed with their snapshots and group snapshots, and those of others stay", async () => {
    subject = await DriverUnderTest.started({ contents: "directory", extraLabels: { cluster: "other" } });
    const kept = await createVolume(subject, "kept");
    await subject.stop();
    await subject.start({ contents: "directory", extraLabels: { cluster: "a" } });
    const sourceVolumeId = await createVolume(subject, "v");
    await subject.client.controller.createSnapshot({ name: "s", sourceVolumeId });
    const sourceVolumeIds = [sourceVolumeId];
    await subject.client.groupController.createVolumeGroupSnapshot({ name: "g", sourceVolumeIds });
    const { destroyed, refused } = await subject.driver.destroyTagged({ cluster: "a" });
    expect(refused).toEqual([]);
    expect(destroyed).toHaveLength(3);
    expect((await subject.client.controller.listSnapshots({})).entries).toEqual([]);
    const { entries } = await subject.client.controller.listVolumes({});
    expect(entries.map(({ volume }) => volume?.volumeId)).toEqual([kept]);
  });

  it("keep their group snapshots whole until the group is deleted", async () => {
    subject = await DriverUnderTest.started({ contents: "directory" });
    const sourceVolumeIds = [await createVolume(subject, "one"), await createVolume(subject, "two")];
    const request = { name: "group", sourceVolumeIds };
    const { groupSnapshot } = await subject.client.groupController.createVolumeGroupSnapshot(request);
    const [member] = groupSnapshot?.snapshots ?? [];
    const alone = await failureOf(subject.client.controller.deleteSnapshot({ snapshotId: member?.snapshotId }));
    expect(alone.code).toBe("INVALID_ARGUMENT");
    const groupSnapshotId = groupSnapshot?.groupSnapshotId ?? "";
    const snapshotIds = groupSnapshot?.snapshots.map(({ snapshotId }) => snapshotId);
    await subject.client.groupController.deleteVolumeGroupSnapshot({ groupSnapshotId, snapshotIds });
    expect((await subject.client.controller.listSnapshots({})).entries).toEqual([]);
  });
});
