import { execFileSync } from "node:child_process";
import { mkdtempDisposableSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { noFaults } from "../fault-points.ts";
import { fakeExecutor } from "../fixtures/fake-executor.ts";
import { LoopDevices } from "./loop-devices.ts";

const listed = (...devices: object[]) => JSON.stringify({ loopdevices: devices });
const device = {
  name: "/dev/loop3",
  "back-file": "/images/a (deleted)",
  "back-ino": 5,
  "back-maj:min": "  8:1  ",
  ro: false,
  "maj:min": "  7:3  ",
  autoclear: false,
};

describe("loop devices", () => {
  it("are found by their image", async () => {
    const executor = fakeExecutor({ "losetup --json": listed(device) });
    const found = await new LoopDevices(executor, noFaults).of("/images/a");
    expect(found).toEqual([
      {
        path: "/dev/loop3",
        backingFile: "/images/a",
        inode: 5n,
        fileSystem: "8:1",
        isReadOnly: false,
        number: "7:3",
        isLeaving: false,
      },
    ]);
    expect(executor.lines).toEqual([
      "losetup --json --output NAME,BACK-FILE,BACK-INO,BACK-MAJ:MIN,RO,MAJ:MIN,AUTOCLEAR --associated /images/a",
    ]);
  });

  it("are none where losetup prints nothing", async () => {
    expect(await new LoopDevices(fakeExecutor(), noFaults).below("/images")).toEqual([]);
  });

  it("of a folder's files are found when their paths are told from within another container, and others are not", async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "images-"));
    writeFileSync(join(folder.path, "a"), "");
    const inode = statSync(join(folder.path, "a")).ino;
    const fileSystem = execFileSync("stat", ["--format", "%Hd:%Ld", folder.path], { encoding: "utf8" });
    const ours = { ...device, "back-ino": inode, "back-maj:min": fileSystem };
    const executor = fakeExecutor({
      "losetup --json": listed(
        { ...ours, "back-file": "/volumes/a", "back-ino": String(inode) },
        { ...ours, name: "/dev/loop4", "back-file": "/volumes/a", "back-ino": inode + 1 },
        { ...ours, name: "/dev/loop5", "back-file": "/volumes/b" },
        { ...ours, name: "/dev/loop6", "back-file": join(folder.path, "gone (deleted)") },
        { ...ours, name: "/dev/loop7", "back-file": "/volumes/a", "back-maj:min": "4095:1048575" },
      ),
    });
    const found = await new LoopDevices(executor, noFaults).below(folder.path);
    expect(found.map(({ path, backingFile }) => [path, backingFile])).toEqual([
      ["/dev/loop3", join(folder.path, "a")],
      ["/dev/loop6", join(folder.path, "gone")],
    ]);
  });

  it("are attached once", async () => {
    const executor = fakeExecutor({ "losetup --json": listed(device) });
    await new LoopDevices(executor, noFaults).ensure("/images/a", { isReadOnly: false });
    expect(executor.lines.some((line) => line.startsWith("losetup --find"))).toBe(false);
  });

  it("that are about to go are not used again", async () => {
    const executor = fakeExecutor({
      "losetup --json": listed({ ...device, autoclear: true }, { ...device, name: "/dev/loop4" }),
    });
    const { path } = await new LoopDevices(executor, noFaults).ensure("/images/a", { isReadOnly: false });
    expect(path).toBe("/dev/loop4");
  });

  it("are not attached beside one that is about to go: the image would have two writers", async () => {
    const waitsMs: number[] = [];
    const clock = { ...systemClock, sleep: async (durationMs: number) => void waitsMs.push(durationMs) };
    const executor = fakeExecutor({ "losetup --json": listed({ ...device, autoclear: true }) });
    const attached = new LoopDevices(executor, noFaults, clock).ensure("/images/a", { isReadOnly: false });
    await expect(attached).rejects.toMatchObject({
      grpcCode: "FAILED_PRECONDITION",
      details: expect.stringMatching(/^\/dev\/loop3 was detached from \/images\/a and is still in use/),
    });
    expect(waitsMs.length).toBeGreaterThan(1);
    expect(executor.lines.some((line) => line.startsWith("losetup --find"))).toBe(false);
  });

  it("that are about to go are not detached again: their name may be somebody else's by then", async () => {
    const executor = fakeExecutor({ "losetup --json": listed({ ...device, autoclear: true }) });
    const devices = new LoopDevices(executor, noFaults);
    for (const leaving of await devices.of("/images/a")) await devices.detach(leaving);
    expect(executor.lines.some((line) => line.startsWith("losetup --detach"))).toBe(false);
  });

  it("that cannot be had any more are answered with RESOURCE_EXHAUSTED and what to do", async () => {
    const stderr = "losetup: cannot find an unused loop device";
    const executor = fakeExecutor({ "losetup --find": { exitCode: 1, stderr } });
    const attached = new LoopDevices(executor, noFaults).ensure("/images/a", { isReadOnly: true });
    await expect(attached).rejects.toMatchObject({
      grpcCode: "RESOURCE_EXHAUSTED",
      details: expect.stringMatching(/\/images\/a.*unused loop device.*max_loop/),
    });
    expect(executor.lines).toContain("losetup --find --show --read-only /images/a");
  });
});
