import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ContainerSpec } from "./container-spec.ts";
import { plainSpec } from "./fixtures/plain-spec.ts";
import { ProcessRuntime } from "./process-runtime.ts";

let folder: string;
let runtime: ProcessRuntime;
const place = (...names: string[]) => join(folder, "containers", ...names);
const quiet = { writeStdout: async () => {}, writeStderr: async () => {} };

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "runtime-"));
  runtime = await ProcessRuntime.open({ folder: place(), clock: systemClock });
});

afterEach(async () => {
  for (const container of runtime.list()) {
    container.signal("SIGKILL");
    await container.exited;
    await container.remove();
  }
  runtime[Symbol.dispose]();
  execFileSync("umount", [place()]);
  rmSync(folder, { recursive: true });
});

const { labels } = plainSpec({});
const spec = (id: string, script: string, more: Partial<ContainerSpec> = {}) =>
  plainSpec({ id, command: ["sh", "-c", script], ...more });

async function restart(): Promise<void> {
  runtime[Symbol.dispose]();
  runtime = await ProcessRuntime.open({ folder: place(), clock: systemClock });
}

describe("an agent that ended in the middle of a start", () => {
  it("before it had said what was to start leaves nothing to the next", async () => {
    mkdirSync(place("half"));
    writeFileSync(place("half", "init.sh"), "exit 0");
    await restart();
    expect(runtime.list()).toEqual([]);
    expect(readdirSync(place())).toEqual([]);
  });

  it("before anybody stood beside the container leaves one that has ended, and that nobody starts", async () => {
    mkdirSync(place("lost"));
    for (const name of ["init.sh", "keep.sh"]) writeFileSync(place("lost", name), "exit 0");
    const entry = { kind: "namespaces", flags: [], prefix: [] };
    const description = { id: "lost", labels, startedMs: Date.now() - 60_000, entry };
    writeFileSync(place("lost", "container.json"), JSON.stringify(description));
    await restart();
    expect(runtime.list().map(({ exit }) => exit?.exitCode)).toEqual([137]);
    expect(existsSync(place("lost", "keep.sh"))).toBe(false);
  });
});

describe("a container whose folder vanishes", () => {
  it("runs on, can be ended, and is then known to have", async () => {
    const container = await runtime.start(spec("gone", "sleep 1000"));
    rmSync(place("gone"), { recursive: true });
    expect(await container.run(["true"], quiet, AbortSignal.timeout(5_000))).toBe(0);
    container.signal("SIGKILL");
    expect(await container.exited).toMatchObject({ exitCode: 137 });
  });
});

describe("a command that takes too long", () => {
  it.each([0, 12_001])("is ended with who waits for it, also as user %i", async (uid) => {
    const user = { uid, gid: uid, supplementalGroups: [] };
    const container = await runtime.start(spec(`busy-${uid}`, "sleep 1000", { user }));
    const seconds = String(470_000 + uid);
    const isThere = () =>
      readdirSync("/proc").some((pid) => /^\d+$/.test(pid) && commandOf(pid) === `sleep\0${seconds}\0`);
    const stop = new AbortController();
    const ended = container.run(["sleep", seconds], quiet, stop.signal).catch(() => "ended");
    await expect.poll(isThere).toBe(true);
    stop.abort();
    expect(await ended).toBe("ended");
    await expect.poll(isThere).toBe(false);
    expect(container.exit).toBeUndefined();
  });
});

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return ""; // It has just ended.
  }
}
