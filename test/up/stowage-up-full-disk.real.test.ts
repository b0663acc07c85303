import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, createTransport, loadKubeconfig } from "@stowage/kube";
import { configMaps } from "@stowage/machinery";
import { expect, it, onTestFinished } from "vitest";
import { leftOf } from "./stowage-up/machine-state.ts";
import { RunningCommand } from "./stowage-up/running-up.ts";

const MEBIBYTE = 1024 * 1024;

/** A disk of that size, until the test has ended. */
function diskOf(size: string): string {
  const disk = mkdtempSync(join(tmpdir(), "up-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "none", disk]);
  onTestFinished(() => {
    execFileSync("umount", [disk]);
    rmdirSync(disk);
  });
  return disk;
}

/** Takes all the room that is left, also what others give back meanwhile. Returns the file that does. */
function filled(disk: string): string {
  const filler = join(disk, "filler");
  for (const bytes of [MEBIBYTE, 4096]) {
    const piece = Buffer.alloc(bytes);
    while (hasTaken(() => appendFileSync(filler, piece)));
  }
  return filler;
}

function hasTaken(write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    return false;
  }
}

async function writeConfigMap(stateDir: string, name: string): Promise<void> {
  const path = join(stateDir, "cluster", "apiserver", "kubeconfig");
  const transport = createTransport(await loadKubeconfig({ path, env: {}, homeDir: "/" }));
  const data = { long: "x".repeat(MEBIBYTE / 2) };
  try {
    await createClient({ transport }).create(configMaps, { metadata: { namespace: "default", name }, data });
  } finally {
    transport.close();
  }
}

/** The database may have some room of its own yet. */
async function writeUntilRefused(stateDir: string): Promise<void> {
  for (let n = 0; n < 40; n++) await writeConfigMap(stateDir, `full-${n}`);
}

it("says that there is no room for a cluster, and leaves nothing there", async () => {
  const disk = diskOf("1m");
  const stateDir = join(disk, "state");
  const { exitCode, stderr } = await new RunningCommand(["up", "--state-dir", stateDir]).ended();
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`1 MiB are free on the disk of ${stateDir}`);
  expect(stderr).toContain("--state-dir");
  expect(readdirSync(disk)).toEqual([]);
});

it("says that the disk has become full while it runs, and goes on when there is room again", async () => {
  const disk = diskOf("512m");
  const stateDir = join(disk, "state");
  const up = new RunningCommand(["up", "--state-dir", stateDir, "--demo=false"]);
  onTestFinished(async () => {
    rmSync(join(disk, "filler"), { force: true });
    await new RunningCommand(["reset", "--state-dir", stateDir]).ended();
  });
  await up.said("Storage works.");
  const filler = filled(disk);
  await expect.poll(() => up.stderr).toMatch(/nothing new can be kept until somebody makes room: \d MiB are free/u);
  await expect(writeUntilRefused(stateDir)).rejects.toThrow("disk is full");
  rmSync(filler);
  await expect.poll(() => up.stderr).toContain(`there is room again on the disk of ${stateDir}`);
  await writeConfigMap(stateDir, "kept");
  up.kill("SIGINT");
  expect((await up.ended()).exitCode).toBe(0);
  expect(leftOf(stateDir)).toEqual([]);
});
