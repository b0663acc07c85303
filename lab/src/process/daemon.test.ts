import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { killDaemon, logFile, startDaemon, stopDaemon } from "./daemon.ts";
import { isAlive } from "./identity.ts";
import { runningDaemon, writePidFile } from "./pid-file.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "daemon-"));
});
afterEach(async () => {
  await killDaemon(dir, "d");
  rmSync(dir, { recursive: true });
});

const shell = (script: string) => ({ name: "d", file: "/bin/sh", arguments: ["-c", script], version: "v1" });

describe("a daemon", () => {
  it("is found again by its pid file, and writes to its log", async () => {
    const started = await startDaemon(dir, shell("echo hello; exec sleep 60"));
    expect(runningDaemon(dir, "d")).toEqual(started);
    await expect.poll(() => readFileSync(logFile(dir, "d"), "utf8")).toBe("hello\n");
  });

  it("is stopped by SIGTERM", async () => {
    const started = await startDaemon(dir, shell("exec sleep 60"));
    await stopDaemon(dir, "d");
    expect(isAlive(started)).toBe(false);
    expect(runningDaemon(dir, "d")).toBeUndefined();
  });

  it("is killed when it does not heed SIGTERM", async () => {
    const started = await startDaemon(dir, shell('trap "" TERM; echo deaf; while :; do sleep 0.1; done'));
    await expect.poll(() => readFileSync(logFile(dir, "d"), "utf8")).toBe("deaf\n");
    await stopDaemon(dir, "d", 50);
    expect(isAlive(started)).toBe(false);
  });

  it("keeps the log of the start before", async () => {
    await startDaemon(dir, shell("echo first; exec sleep 60"));
    await expect.poll(() => readFileSync(logFile(dir, "d"), "utf8")).toBe("first\n");
    await killDaemon(dir, "d");
    await startDaemon(dir, shell("exec sleep 60"));
    expect(readFileSync(join(dir, "log", "d.previous.log"), "utf8")).toBe("first\n");
  });

  it("never stops a process that only has its id", async () => {
    const stranger = await startDaemon(dir, shell("exec sleep 60"));
    writePidFile(dir, "reused", { ...stranger, startTicks: "1" });
    await stopDaemon(dir, "reused");
    expect(isAlive(stranger)).toBe(true);
  });

  it("that cannot be started is an error which names the program", async () => {
    const missing = { ...shell(""), file: "/nowhere/etcd" };
    await expect(startDaemon(dir, missing)).rejects.toThrow("d could not be started from /nowhere/etcd");
  });
});
