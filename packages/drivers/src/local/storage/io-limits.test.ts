import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkAttributes, IoLimits } from "./io-limits.ts";

const device = {
  path: "/dev/loop3",
  backingFile: "/a",
  inode: 1n,
  fileSystem: "8:1",
  isReadOnly: false,
  number: "7:3",
  isLeaving: false,
};
const attributes = { readBytesPerSecond: "1048576" };

let cgroup: string;
beforeEach(() => {
  cgroup = mkdtempSync(join(tmpdir(), "stowage-cgroup-"));
});
afterEach(() => rmSync(cgroup, { recursive: true }));

describe("the limits of a device", () => {
  it("are one line in a cgroup of version 2", async () => {
    writeFileSync(join(cgroup, "io.max"), "");
    await new IoLimits(cgroup).apply(device, attributes);
    expect(readFileSync(join(cgroup, "io.max"), "utf8")).toBe("7:3 rbps=1048576 wbps=max riops=max wiops=max");
  });

  it("are a file each in version 1, with 0 for what an earlier user of the device may have had", async () => {
    writeFileSync(join(cgroup, "blkio.throttle.read_bps_device"), "");
    await new IoLimits(cgroup).apply(device, attributes);
    expect(readFileSync(join(cgroup, "blkio.throttle.read_bps_device"), "utf8")).toBe("7:3 1048576");
    expect(readFileSync(join(cgroup, "blkio.throttle.write_bps_device"), "utf8")).toBe("7:3 0");
  });

  it("are refused where no cgroup can hold them, and nothing is said when there are none", async () => {
    await new IoLimits(cgroup).apply(device, {});
    await expect(new IoLimits(cgroup).apply(device, attributes)).rejects.toMatchObject({
      grpcCode: "FAILED_PRECONDITION",
    });
  });

  it.each([
    ["colour", "blue"],
    ["readBytesPerSecond", "fast"],
    ["readBytesPerSecond", "0"],
  ])("cannot be %s=%s", (key, value) => {
    expect(() => checkAttributes({ [key]: value })).toThrow(expect.objectContaining({ grpcCode: "INVALID_ARGUMENT" }));
  });
});
