import { chmodSync, chownSync, statSync } from "node:fs";
import { join } from "node:path";
import { NodeServiceCapability_RPC_Type as Capability } from "@stowage/csi";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { command, DriverUnderTest, isRoot, mountCapability } from "./fixtures/driver-under-test.ts";
import { createVolume, failureOf, publish, testSize, unpublish } from "./fixtures/volume-user.ts";

const groupId = 4242;
const userId = 1234;

let subject: DriverUnderTest;
beforeEach(async () => {
  subject = await DriverUnderTest.started({ contents: "image" });
});
afterEach(() => subject[Symbol.asyncDispose]());

// These file systems have no mount option for a group, so VOLUME_MOUNT_GROUP is not offered: kubelet gives the files to the
// group itself, once, and they keep it. The CSIDriver object says so with `fsGroupPolicy: File`.
describe.runIf(isRoot)("the fsGroup of a Pod (needs root)", () => {
  it.each(["ext4", "xfs", "btrfs"])("is applied by kubelet and stays on a volume with %s", async (fsType) => {
    const capability = mountCapability(fsType);
    const volumeId = await createVolume(subject, "shared", { capability, bytes: testSize(fsType) });
    const target = await publish(subject, volumeId, { capability });
    // As kubelet does: the group, its right to write, and its inheritance.
    chownSync(target, 0, groupId);
    chmodSync(target, 0o2775);
    await unpublish(subject, volumeId);
    await publish(subject, volumeId, { capability });
    // The kubelet directory of the test is root's alone; the Pod's own view of the volume is not below it.
    command("chmod", "-R", "o+x", subject.folder);
    const asPod = ["--reuid", `${userId}`, "--regid", `${userId}`, "--groups", `${groupId}`];
    command("setpriv", ...asPod, "touch", join(target, "note"));
    expect(statSync(join(target, "note"))).toMatchObject({ uid: userId, gid: groupId });
  });

  it("is not asked of the driver, and refused if it is", async () => {
    const { capabilities } = await subject.client.node.nodeGetCapabilities({});
    const offered = capabilities.map(({ type }) => (type.case === "rpc" ? type.value.type : undefined));
    expect(offered).not.toContain(Capability.VOLUME_MOUNT_GROUP);
    const volumeId = await createVolume(subject, "v");
    const plain = mountCapability("ext4");
    const value = { ...plain.accessType.value, volumeMountGroup: `${groupId}` };
    const volumeCapability = { ...plain, accessType: { ...plain.accessType, value } };
    const request = { volumeId, stagingTargetPath: subject.at("stage"), volumeCapability };
    expect(await failureOf(subject.client.node.nodeStageVolume(request))).toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringMatching(new RegExp(`${volumeId}.*fsGroupPolicy`)),
    });
  });
});
