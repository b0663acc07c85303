import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Container } from "./container.ts";
import { plainSpec } from "./fixtures/plain-spec.ts";
import { ProcessRuntime } from "./process-runtime.ts";

const patienceMs = 60_000;
let folder: string;
let runtime: ProcessRuntime;

const open = () => ProcessRuntime.open({ folder: join(folder, "containers"), clock: systemClock });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "runtime-"));
  runtime = await open();
});

afterEach(async () => {
  for (const container of runtime.list()) await ended(container);
  await nobodyHolds();
  runtime[Symbol.dispose]();
  execFileSync("umount", [join(folder, "containers")]);
  rmSync(folder, { recursive: true });
});

const start = (id: string, script: string, processSpace = "pod-1") =>
  runtime.start(plainSpec({ id, command: ["sh", "-c", script, id], processSpace }));

async function ended(container: Container): Promise<void> {
  container.signal("SIGKILL");
  await container.exited;
  await container.remove();
}

async function said(container: Container, script: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  const write = async (bytes: Uint8Array) => void chunks.push(bytes);
  const streams = { writeStdout: write, writeStderr: write };
  await container.run(["sh", "-c", script], streams, AbortSignal.timeout(patienceMs));
  return Buffer.concat(chunks).toString().trim();
}

const processes = (): string[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      } catch {
        return "";
      }
    });
const holders = () => processes().filter((words) => words.includes(`${folder}/containers/process-spaces`));
/** Who was killed may still be there for a moment. */
const nobodyHolds = () => vi.waitFor(() => expect(holders()).toEqual([]), { timeout: patienceMs });
/** The last words of those that a container sees, the first process first. */
const names = "for each in $(ls /proc | grep '^[0-9]*$' | sort -n); do tr '\\0' ' ' < /proc/$each/cmdline; echo; done";

describe("containers that share their processes", () => {
  it("see each other's, and those of no other Pod", async () => {
    const [one] = await Promise.all([
      start("one", "sleep 600; true"),
      start("two", "sleep 600; true"),
      start("other", "sleep 600; true", "pod-2"),
    ]);
    const seen = await said(one, names);
    expect(seen).toMatch(/hold\.sh/u);
    expect(seen).toMatch(/ one $/mu);
    expect(seen).toMatch(/ two $/mu);
    expect(seen).not.toMatch(/ other $/mu);
    expect(holders()).toHaveLength(2);
  });

  it("end each for itself, with all that they started, and by any signal", async () => {
    const stays = await start("stays", "sleep 600; true");
    const goes = await start("goes", "sleep 601 & kill -9 $$");
    expect((await goes.exited).exitCode).toBe(137);
    expect(stays.exit).toBeUndefined();
    await vi.waitFor(async () => expect(await said(stays, names)).not.toContain("sleep 601"), { timeout: patienceMs });
    expect((await (await start("again", "kill -15 $$")).exited).exitCode).toBe(143);
  });

  it("are found again by the next agent, and the last of them ends what holds them", async () => {
    await start("first", "sleep 600; true");
    runtime[Symbol.dispose]();
    runtime = await open();
    const second = await start("second", "sleep 600; true");
    expect(await said(second, names)).toMatch(/ first $/mu);
    expect(holders()).toHaveLength(1);
    for (const container of runtime.list()) await ended(container);
    await nobodyHolds();
  });

  it("leave nothing either where somebody only looks after them", async () => {
    await start("alone", "sleep 600; true");
    runtime[Symbol.dispose]();
    using looking = ProcessRuntime.look({ folder: join(folder, "containers"), clock: systemClock });
    for (const container of looking.list()) await ended(container);
    await nobodyHolds();
    runtime = await open();
  });
});
