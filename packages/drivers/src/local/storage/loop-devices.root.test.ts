import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandEnvironment, type Executor, systemExecutor } from "@stowage/csi/host";
import { afterEach, describe, expect, it } from "vitest";
import { blockCapability, DriverUnderTest, isRoot, mebibyte } from "../fixtures/driver-under-test.ts";
import { createVolume, failureOf, publish, unpublish } from "../fixtures/volume-user.ts";

let subject: DriverUnderTest;
afterEach(() => subject[Symbol.asyncDispose]());

/** Runs losetup where /dev has no node for another loop device, as in a container whose /dev was filled once for all. */
function withoutFreeLoopDevices(makeNodes: string): Executor {
  const program = `mount -t tmpfs tmpfs /dev && ${makeNodes} && exec losetup "$@"`;
  return {
    run(argv, options) {
      const isAttaching = argv[0] === "losetup" && argv[1] === "--find";
      const inside = ["unshare", "--mount", "sh", "-c", program, ...argv] as const;
      return systemExecutor.run(isAttaching ? inside : argv, options);
    },
  };
}

describe.runIf(isRoot)("a node without a free loop device (needs root)", () => {
  it.each([
    ["the limit is reached", "mknod /dev/loop-control c 10 237"],
    ["the kernel offers none", "true"],
  ])("says so and what to do when %s, and the volume keeps what it has", async (_why, makeNodes) => {
    subject = await DriverUnderTest.started({ contents: "image" });
    const volumeId = await createVolume(subject, "v");
    writeFileSync(join(await publish(subject, volumeId), "note"), "kept", { flush: true });
    await unpublish(subject, volumeId);
    await subject.stop();
    await subject.start({ contents: "image", executor: withoutFreeLoopDevices(makeNodes) });
    const refused = await failureOf(publish(subject, volumeId));
    expect(refused.code).toBe("RESOURCE_EXHAUSTED");
    expect(refused.message).toContain(volumeId);
    expect(refused.message).toContain("max_loop");
    await subject.stop();
    await subject.start({ contents: "image" });
    expect(readFileSync(join(await publish(subject, volumeId), "note"), "utf8")).toBe("kept");
  });
});

describe.runIf(isRoot)("two drivers with disks of their own (needs root)", () => {
  const disk = { fsType: "ext4", bytes: 128n * mebibyte } as const;
  const capability = blockCapability();

  it("let each other's devices be, though their images have the same name and the same number", async () => {
    subject = await DriverUnderTest.startedOn(disk);
    await using other = await DriverUnderTest.startedOn(disk);
    const volumeId = await createVolume(subject, "v", { capability });
    expect(await createVolume(other, "v", { capability })).toBe(volumeId);
    const inodeOf = ({ stateDir }: DriverUnderTest) => statSync(join(stateDir, "contents/volumes", volumeId)).ino;
    expect(inodeOf(other)).toBe(inodeOf(subject));
    // A raw device that is staged is attached, and nothing of it is mounted yet.
    const stagingTargetPath = subject.at("stage");
    await subject.client.node.nodeStageVolume({ volumeId, stagingTargetPath, volumeCapability: capability });
    const attached = subject.loopDevices();
    // A driver that starts lets go of what nobody uses.
    await other.stop();
    await other.start({ contents: "image" });
    expect(subject.loopDevices()).toEqual(attached);
  });
});

describe.runIf(isRoot)("a volume that another mount namespace still has mounted (needs root)", () => {
  it("is not staged anew before that is over, and then has what was written", async () => {
    subject = await DriverUnderTest.started({ contents: "image" });
    const volumeId = await createVolume(subject, "v");
    const target = await publish(subject, volumeId);
    // It has a copy of every mount, which stays when the mount is unmounted here.
    const holder = spawn("unshare", ["--mount", "sh", "-c", "echo there; exec sleep 1000"], {
      env: commandEnvironment,
    });
    try {
      await once(holder.stdout, "data");
      writeFileSync(join(target, "note"), "kept");
      await unpublish(subject, volumeId);
      const refused = await failureOf(publish(subject, volumeId));
      expect(refused.code).toBe("FAILED_PRECONDITION");
      expect(refused.message).toContain(volumeId);
    } finally {
      const ended = once(holder, "close");
      holder.kill("SIGKILL");
      await ended;
    }
    expect(readFileSync(join(await publish(subject, volumeId), "note"), "utf8")).toBe("kept");
  });
});
