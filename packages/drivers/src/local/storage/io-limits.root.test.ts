import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandEnvironment } from "@stowage/csi/host";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { blockCapability, DriverUnderTest, isRoot, mebibyte } from "../fixtures/driver-under-test.ts";
import { createVolume, publish, unpublish } from "../fixtures/volume-user.ts";

const parents = ["/sys/fs/cgroup/blkio", "/sys/fs/cgroup"];
const limitFiles = ["blkio.throttle.read_bps_device", "io.max"];
/** Where a cgroup that can limit I/O can be made, in version 1 or 2 of cgroups. */
const parent = parents.find((path) => existsSync(join(path, "blkio.throttle.read_bps_device")) || hasIo(path));

function hasIo(path: string): boolean {
  return existsSync(join(path, "cgroup.subtree_control")) && existsSync(join(path, "init.scope/io.max"));
}

describe.runIf(isRoot && parent !== undefined)(
  "a VolumeAttributesClass with I/O limits (needs root and cgroups)",
  () => {
    const cgroup = join(parent ?? "", `stowage-test-${process.pid}`);
    const readBytes = 4n * mebibyte;
    /** At the limit it would take a minute: how fast it is without tells itself on any machine. */
    const muchBytes = 128n * mebibyte;
    const bytesPerSecond = 2n * mebibyte;
    let subject: DriverUnderTest;

    beforeEach(async () => {
      mkdirSync(cgroup);
      expect(limitFiles.some((name) => existsSync(join(cgroup, name)))).toBe(true);
      subject = await DriverUnderTest.started({ contents: "image", ioCgroup: cgroup });
    });
    afterEach(async () => {
      await subject[Symbol.asyncDispose]();
      rmdirSync(cgroup);
    });

    /** How long a process of the cgroup takes to read the volume's device, past the cache. */
    async function readMs(device: string, bytes = readBytes): Promise<number> {
      const flags = [`if=${device}`, "of=/dev/null", "iflag=direct", "bs=64k", `count=${bytes / 65536n}`];
      const script = 'read _; exec dd "$@"';
      const child = spawn("sh", ["-c", script, "sh", ...flags], {
        env: commandEnvironment,
        stdio: ["pipe", "ignore", "ignore"],
      });
      writeFileSync(join(cgroup, "cgroup.procs"), `${child.pid}`);
      const startedAt = performance.now();
      child.stdin.end("\n");
      expect(await once(child, "close")).toEqual([0, null]);
      return performance.now() - startedAt;
    }

    it("slows the Pod's reads down to the limit at once, still does after the next mount, and lets them go again", async () => {
      const capability = blockCapability();
      const volumeId = await createVolume(subject, "limited", { capability, bytes: muchBytes });
      const device = await publish(subject, volumeId, { capability });
      const leastMs = (bytes: bigint) => (Number(bytes - bytesPerSecond / 2n) / Number(bytesPerSecond)) * 1000;
      const limit = (value: bigint) => ({ readBytesPerSecond: `${value}` });
      await subject.client.controller.controllerModifyVolume({ volumeId, mutableParameters: limit(bytesPerSecond) });
      expect(await readMs(device)).toBeGreaterThan(leastMs(readBytes));
      await unpublish(subject, volumeId);
      await publish(subject, volumeId, { capability });
      expect(await readMs(device)).toBeGreaterThan(leastMs(readBytes));
      await subject.client.controller.controllerModifyVolume({ volumeId, mutableParameters: limit(1024n * mebibyte) });
      expect(await readMs(device, muchBytes)).toBeLessThan(leastMs(muchBytes));
    });
  },
);
