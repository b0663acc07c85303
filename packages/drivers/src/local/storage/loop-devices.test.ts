import { describe, expect, it } from "vitest";
import { noFaults } from "../fault-points.ts";
import { fakeExecutor } from "../fixtures/fake-executor.ts";
import { LoopDevices } from "./loop-devices.ts";

const listed = (...devices: object[]) => JSON.stringify({ loopdevices: devices });
const device = {
  name: "/dev/loop3",
  "back-file": "/images/a (deleted)",
  ro: false,
  "maj:min": "  7:3  ",
  autoclear: false,
};

describe("loop devices", () => {
  it("are found by their image", async () => {
    const executor = fakeExecutor({ "losetup --json": listed(device) });
    const found = await new LoopDevices(executor, noFaults).of("/images/a");
    expect(found).toEqual([
      { path: "/dev/loop3", backingFile: "/images/a", isReadOnly: false, number: "7:3", isLeaving: false },
    ]);
    expect(executor.lines).toEqual([
      "losetup --json --output NAME,BACK-FILE,RO,MAJ:MIN,AUTOCLEAR --associated /images/a",
    ]);
  });

  it("are none where losetup prints nothing", async () => {
    expect(await new LoopDevices(fakeExecutor(), noFaults).all()).toEqual([]);
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
