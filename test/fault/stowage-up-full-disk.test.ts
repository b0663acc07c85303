import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { RunningCommand } from "../conformance/stowage-up/running-up.ts";

const disk = mkdtempSync(join(tmpdir(), "up-disk-"));

beforeAll(() => void execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "none", disk]));
afterAll(() => {
  execFileSync("umount", [disk]);
  rmdirSync(disk);
});

it("says that there is no room for a cluster, and leaves nothing there", async () => {
  const stateDir = join(disk, "state");
  const { exitCode, stderr } = await new RunningCommand(["up", "--state-dir", stateDir]).ended();
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`1 MiB are free on the disk of ${stateDir}`);
  expect(stderr).toContain("--state-dir");
  expect(readdirSync(disk)).toEqual([]);
});
