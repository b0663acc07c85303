import { parseMountTable } from "@stowage/csi/host";
import { describe, expect, it } from "vitest";
import { hasBecomeReadOnly } from "./mount-health.ts";

const at = (path: string, options: string, superOptions: string) =>
  `36 35 7:3 / ${path} ${options} - ext4 /dev/loop3 ${superOptions}`;

describe("a file system that is read-only", () => {
  it.each([
    ["was asked to be, everywhere", [at("/stage", "ro", "ro"), at("/pod", "ro", "ro")], false],
    ["is writable, with a reader", [at("/stage", "rw", "rw"), at("/pod", "ro", "rw")], false],
    ["was remounted at one place", [at("/stage", "ro", "ro"), at("/pod", "rw", "ro")], true],
    ["met an error", [at("/stage", "rw,relatime", "rw,errors=remount-ro,emergency_ro")], true],
    ["met an error, on older kernels", [at("/stage", "rw,relatime", "ro,errors=remount-ro")], true],
    ["is not mounted", [], false],
  ])("where it %s: has it become so? %s", (_what, lines, expected) => {
    expect(hasBecomeReadOnly(parseMountTable(lines.join("\n")))).toBe(expected);
  });
});
