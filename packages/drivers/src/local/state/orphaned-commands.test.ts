import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, silentLogger, systemClock } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { waitForOrphans } from "./orphaned-commands.ts";

let folder: string;
let path: string;
let orphan: ChildProcess;

/** A command that has the owner's file open, as those of a driver have. */
function begin(...args: string[]): ChildProcess {
  const descriptor = openSync(path, "r");
  const child = spawn("sh", ["-c", "read line", ...args], { stdio: ["pipe", "ignore", "inherit", descriptor] });
  closeSync(descriptor);
  return child;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stowage-orphans-"));
  path = join(folder, "owner");
  writeFileSync(path, "");
});

afterEach(() => {
  orphan.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

describe("commands that a killed driver left running", () => {
  it("are waited for, also when the owner's file was replaced", async () => {
    orphan = begin();
    writeFileSync(join(folder, "next"), "");
    renameSync(join(folder, "next"), path);
    let sleeps = 0;
    const clock: Clock = {
      ...systemClock,
      async sleep() {
        sleeps += 1;
        if (sleeps < 3) return;
        orphan.stdin?.end();
        await once(orphan, "exit");
      },
    };
    await waitForOrphans(path, { clock, logger: silentLogger });
    expect(sleeps).toBe(3);
  });

  it("are ended when what they make would be thrown away", async () => {
    orphan = begin("/state/contents/volumes/vol-1.abc.partial");
    const exited = once(orphan, "exit");
    await waitForOrphans(path, { clock: systemClock, logger: silentLogger });
    expect(await exited).toEqual([null, "SIGKILL"]);
  });

  it("keep the driver from starting when they do not end", async () => {
    orphan = begin();
    let nowMs = 0;
    const clock: Clock = {
      ...systemClock,
      monotonicMs: () => nowMs,
      async sleep() {
        nowMs += 30_000;
      },
    };
    const waited = waitForOrphans(path, { clock, logger: silentLogger });
    await expect(waited).rejects.toMatchObject({
      code: "LOCAL_STATE_IN_USE",
      message: expect.stringContaining(`Process ${orphan.pid} (sh -c read line)`),
    });
  });
});
