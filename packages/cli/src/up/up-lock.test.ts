import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lockState, runningOwner } from "./up-lock.ts";

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "up-lock-")), "state");
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true }));

describe("the lock of a state directory", () => {
  it("is had by one, who can be found", () => {
    using _lock = lockState(folder);
    expect(runningOwner(folder)?.pid).toBe(process.pid);
    expect(() => lockState(folder)).toThrow(expect.objectContaining({ code: "UP_RUNNING" }));
  });

  it("is free again when it is let go", () => {
    lockState(folder)[Symbol.dispose]();
    expect(runningOwner(folder)).toBeUndefined();
    expect(existsSync(join(folder, "up.json"))).toBe(false);
    using _lock = lockState(folder);
  });

  it("is taken from one that was killed, also when its number belongs to another by now", async () => {
    const child = spawn("true");
    await once(child, "exit");
    lockState(folder)[Symbol.dispose]();
    for (const owner of [
      { pid: child.pid, startedAt: "1" },
      { pid: process.pid, startedAt: "1" },
    ]) {
      writeFileSync(join(folder, "up.json"), JSON.stringify(owner));
      expect(runningOwner(folder)).toBeUndefined();
      using _lock = lockState(folder);
      expect(runningOwner(folder)?.pid).toBe(process.pid);
    }
  });

  it("is taken from one that was killed while it wrote its name", () => {
    lockState(folder)[Symbol.dispose]();
    writeFileSync(join(folder, "up.json"), '{"pid":');
    using _lock = lockState(folder);
    expect(runningOwner(folder)?.pid).toBe(process.pid);
  });
});
