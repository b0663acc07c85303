import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { command, type Disk, DriverUnderTest, isRoot, mebibyte } from "./fixtures/driver-under-test.ts";
import { createVolume, publish, testSize } from "./fixtures/volume-user.ts";

let subject: DriverUnderTest;
afterEach(() => subject[Symbol.asyncDispose]());

const dataBytes = 24 << 20;
const data = Buffer.alloc(dataBytes, "not zeroes");

function usedBytes(): number {
  command("sync", "--file-system", subject.stateDir);
  const { bsize, blocks, bfree } = statfsSync(subject.stateDir);
  return bsize * (blocks - bfree);
}

const contentOf = (kind: "volumes" | "snapshots", id: string) => join(subject.stateDir, "contents", kind, id);

/** How much of the file is shared with another one, as the file system says. */
function sharedBytes(path: string): number {
  const lines = command("filefrag", "-v", "-b1024", path).split("\n");
  const shared = lines.filter((line) => /^\s*\d+:.*shared/.test(line));
  // Such as `0: 0.. 4095: 98304.. 102399: 4096: last,shared`: the length is in KiB.
  return shared.reduce((sum, line) => sum + Number(line.split(":")[3]) * 1024, 0);
}

async function filledVolume(): Promise<{ volumeId: string; target: string }> {
  const volumeId = await createVolume(subject, "filled", { bytes: 64n * mebibyte });
  const target = await publish(subject, volumeId);
  writeFileSync(join(target, "data"), data, { flush: true });
  return { volumeId, target };
}

async function snapshotOf(sourceVolumeId: string): Promise<string> {
  const { snapshot } = await subject.client.controller.createSnapshot({ name: "s", sourceVolumeId });
  return snapshot?.snapshotId ?? "";
}

describe.runIf(isRoot)("a copy of a volume (needs root)", () => {
  const reflinking: Disk[] = [
    { fsType: "xfs", bytes: 512n * mebibyte, makeFlags: ["-m", "reflink=1"] },
    { fsType: "btrfs", bytes: 512n * mebibyte },
  ];

  it.each(reflinking)("shares its blocks with the original where the disk is $fsType", async (disk) => {
    subject = await DriverUnderTest.startedOn(disk);
    const { volumeId, target } = await filledVolume();
    const before = usedBytes();
    const snapshotId = await snapshotOf(volumeId);
    const clone = await createVolume(subject, "clone", { bytes: 64n * mebibyte, source: { volumeId } });
    // The original's 24 MiB are not there three times.
    expect(usedBytes() - before).toBeLessThan(dataBytes / 2);
    expect(sharedBytes(contentOf("snapshots", snapshotId))).toBeGreaterThanOrEqual(dataBytes);
    writeFileSync(join(target, "data"), "changed", { flush: true });
    const restored = await createVolume(subject, "restored", { bytes: 64n * mebibyte, source: { snapshotId } });
    for (const copy of [clone, restored]) {
      expect(readFileSync(join(await publish(subject, copy), "data")).equals(data)).toBe(true);
    }
  });

  it("takes what was written and no more where the disk cannot share blocks", async () => {
    subject = await DriverUnderTest.startedOn({ fsType: "ext4", bytes: 1024n * mebibyte });
    const bytes = 512n * mebibyte;
    const volumeId = await createVolume(subject, "sparse", { bytes });
    writeFileSync(join(await publish(subject, volumeId), "data"), data, { flush: true });
    const { size, blocks } = statSync(contentOf("snapshots", await snapshotOf(volumeId)));
    expect(size).toBe(Number(bytes));
    expect(blocks * 512).toBeGreaterThan(dataBytes);
    expect(blocks * 512).toBeLessThan(dataBytes * 3);
  });
});

describe.runIf(isRoot)("a group snapshot (needs root)", () => {
  // Each number is written to the first volume, then to the second: of one moment, they differ by one at most.
  const program = `i=0; while [ -e "$3" ]; do i=$((i+1)); for d in "$1" "$2"; do echo $i > "$d/next"; mv "$d/next" "$d/n"; done; done`;

  it("is of one moment for all its volumes, while they are written to", async () => {
    subject = await DriverUnderTest.started({ contents: "image" });
    const sourceVolumeIds = [await createVolume(subject, "first"), await createVolume(subject, "second")];
    const targets: string[] = [];
    for (const volumeId of sourceVolumeIds) {
      targets.push(await publish(subject, volumeId));
      writeFileSync(join(subject.at(`target-${volumeId}`), "n"), "0");
    }
    const running = subject.at("running");
    writeFileSync(running, "");
    const writer = spawn("sh", ["-c", program, "sh", ...targets, running], { stdio: "ignore" });
    const ended = once(writer, "close");
    await expect.poll(() => Number(readFileSync(join(targets[1] ?? "", "n"), "utf8"))).toBeGreaterThan(10);
    const { groupSnapshot } = await subject.client.groupController.createVolumeGroupSnapshot({
      name: "group",
      sourceVolumeIds,
    });
    rmSync(running);
    await ended;
    const numbers: number[] = [];
    for (const sourceVolumeId of sourceVolumeIds) {
      const member = groupSnapshot?.snapshots.find((snapshot) => snapshot.sourceVolumeId === sourceVolumeId);
      const source = { snapshotId: member?.snapshotId ?? "" };
      const restored = await createVolume(subject, `of-${sourceVolumeId}`, { bytes: testSize("ext4"), source });
      numbers.push(Number(readFileSync(join(await publish(subject, restored), "n"), "utf8")));
    }
    const [first = Number.NaN, second = Number.NaN] = numbers;
    expect([0, 1]).toContain(first - second);
  });
});
