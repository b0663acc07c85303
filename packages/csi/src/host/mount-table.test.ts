import { describe, expect, it } from "vitest";
import { isMountOf, parseMountTable } from "./mount-table.ts";

const text = `36 35 98:0 / /mnt/with\\040space rw,noatime master:1 shared:2 - ext4 /dev/loop1 rw,errors=continue
40 35 0:6 /loop3 /mnt/raw rw,nosuid - devtmpfs devtmpfs rw
41 35 0:50 / /mnt/b ro,relatime - btrfs /dev/loop10 rw,subvol=/
`;

describe("the mount table", () => {
  const [fileSystem, device, btrfs] = parseMountTable(text);

  it("is read with its optional fields and escapes", () => {
    expect(fileSystem).toMatchObject({
      mountPoint: "/mnt/with space",
      options: ["rw", "noatime"],
      source: "/dev/loop1",
    });
    expect(btrfs).toMatchObject({ fsType: "btrfs", options: ["ro", "relatime"] });
  });

  it("tells the mounts of a device, and its node bound as a file, from those of others", () => {
    expect([fileSystem, device, btrfs].map((entry) => entry && isMountOf(entry, "/dev/loop1"))).toEqual([
      true,
      false,
      false,
    ]);
    expect(device && isMountOf(device, "/dev/loop3")).toBe(true);
  });
});
