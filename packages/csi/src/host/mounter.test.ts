import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CommandError } from "./command-error.ts";
import type { Executor } from "./executor.ts";
import { createMounter, unmountAll } from "./mounter.ts";

let folder: string;
let tablePath: string;
const waitsMs: number[] = [];
const clock = { ...systemClock, sleep: async (durationMs: number) => void waitsMs.push(durationMs) };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stowage-mounter-"));
  tablePath = join(folder, "mountinfo");
  writeFileSync(tablePath, "36 35 7:1 / /mnt/a rw - ext4 /dev/loop1 rw\n");
  waitsMs.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Refuses to unmount a number of times, as while somebody looks at the mount. */
function busyFor(times: number): Executor {
  let left = times;
  return {
    async run(argv) {
      if (left-- > 0) {
        throw new CommandError({ argv, kind: "failed", exitCode: 32, stderrTail: "umount: /mnt/a: target is busy." });
      }
      writeFileSync(tablePath, "");
      return { exitCode: 0, stdout: "" };
    },
  };
}

describe("unmounting", () => {
  it("is tried again while somebody looks at the mount", async () => {
    await unmountAll(createMounter(busyFor(3), tablePath), "/mnt/a", clock);
    expect(waitsMs).toEqual([10, 20, 50]);
  });

  it("fails with the program's words when the mount stays in use", async () => {
    const mounter = createMounter(busyFor(1000), tablePath);
    await expect(unmountAll(mounter, "/mnt/a", clock)).rejects.toMatchObject({
      stderrTail: expect.stringContaining("busy"),
    });
    expect(waitsMs.reduce((sum, ms) => sum + ms)).toBeLessThan(3000);
  });

  it("of what is not mounted does nothing", async () => {
    await unmountAll(createMounter(busyFor(1000), tablePath), "/mnt/b", clock);
    expect(waitsMs).toEqual([]);
  });
});
