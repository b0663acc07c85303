import { describe, expect, it } from "vitest";
import { noFaults } from "../fault-points.ts";
import { type FakeAnswer, fakeExecutor } from "../fixtures/fake-executor.ts";
import { createImageContents } from "./image-contents.ts";
import { LoopDevices } from "./loop-devices.ts";

const contentsWith = (rules: Record<string, FakeAnswer> = {}) => {
  const executor = fakeExecutor(rules);
  return createImageContents({ executor, loopDevices: new LoopDevices(executor, noFaults), faultPoint: noFaults });
};
const plan = (fsType: string) => ({ capacityBytes: 1n, access: "mount" as const, fsType });

describe("a file system type", () => {
  it("whose programs are not installed is unsupported, and the message names them", async () => {
    const contents = contentsWith({ "which mkfs.xfs": { exitCode: 1, stderr: "" } });
    await expect(contents.check(plan("xfs"))).rejects.toMatchObject({
      grpcCode: "FAILED_PRECONDITION",
      details: expect.stringContaining("mkfs.xfs"),
    });
    await contents.check(plan("ext4"));
  });

  it("that the driver does not know is refused with those that it does", async () => {
    await expect(contentsWith().check(plan("ntfs"))).rejects.toMatchObject({
      grpcCode: "INVALID_ARGUMENT",
      details: expect.stringContaining("ext4, xfs, btrfs"),
    });
  });
});
