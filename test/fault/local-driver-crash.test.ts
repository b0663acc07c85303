import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import type { Outcome, Plan, StepName } from "./local-driver-plan.ts";

const run = promisify(execFile);
const stepProgram = new URL("./local-driver-step.ts", import.meta.url).pathname;
const folders: string[] = [];

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "stowage-crash-"));
  mkdirSync(join(folder, "kubelet"));
  folders.push(folder);
  return folder;
}

/** Unmounts and detaches what lies below the folder, and nothing else. */
async function discard(folder: string): Promise<void> {
  const lines = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
  const points = lines.map((line) => line.split(" ")[4] ?? "").filter((point) => point.startsWith(`${folder}/`));
  for (const point of points.toReversed()) {
    // A test that found a frozen file system has failed; nothing that waits for it ends before it is thawed.
    await run("fsfreeze", ["--unfreeze", point]).catch(() => {});
    await run("umount", [point]);
  }
  const { stdout } = await run("losetup", ["--list", "--noheadings", "--output", "NAME,BACK-FILE"]);
  for (const line of stdout.split("\n").filter((text) => text.includes(`${folder}/`))) {
    await run("losetup", ["--detach", line.split(" ")[0] ?? ""]);
  }
  rmSync(folder, { recursive: true });
}

afterEach(async () => {
  for (const folder of folders.splice(0)) await discard(folder);
});

async function runSteps(plan: Plan): Promise<Outcome> {
  const { stdout } = await run(process.execPath, [stepProgram, JSON.stringify(plan)], { timeout: 60_000 });
  return JSON.parse(stdout) as Outcome;
}

async function runKilled(plan: Plan): Promise<void> {
  const failure = await runSteps(plan).then(
    () => undefined,
    (error: unknown) => error as { readonly signal?: string; readonly stderr?: string },
  );
  expect(failure?.signal, failure?.stderr).toBe("SIGKILL");
}

interface Scenario {
  readonly name: string;
  readonly before: readonly StepName[];
  readonly step: StepName;
  /** A change of mounts alone may stop half-way until it is asked for again; a change of state may not. */
  readonly isAllOrNothing: boolean;
}

const ofState = (name: string, before: readonly StepName[], step: StepName): Scenario => ({
  name,
  before,
  step,
  isAllOrNothing: true,
});
const ofMounts = (name: string, before: readonly StepName[], step: StepName): Scenario => ({
  name,
  before,
  step,
  isAllOrNothing: false,
});

const scenarios = [
  ofState("creating a volume", [], "create"),
  ofState("deleting a volume", ["create"], "delete"),
  ofState("taking a snapshot of a mounted volume", ["create", "stage", "write"], "snapshot"),
  ofState("deleting a snapshot", ["create", "snapshot"], "deleteSnapshot"),
  ofState("taking a group snapshot", ["create", "createSecond", "stage"], "groupSnapshot"),
  ofState("cloning a mounted volume", ["create", "stage", "write"], "clone"),
  ofState("restoring a snapshot", ["create", "snapshot"], "restore"),
  ofState("growing a volume", ["create"], "expand"),
  ofMounts("staging", ["create"], "stage"),
  ofMounts("publishing", ["create", "stage"], "publish"),
  ofMounts("publishing read-only", ["create", "stage"], "publishReadOnly"),
  ofMounts("unpublishing", ["create", "stage", "publish"], "unpublish"),
  ofMounts("unstaging", ["create", "stage"], "unstage"),
  ofMounts("publishing an ephemeral volume", [], "publishEphemeral"),
  ofMounts("unpublishing an ephemeral volume", ["publishEphemeral"], "unpublishEphemeral"),
] as const;

describe.runIf(process.getuid?.() === 0)("a local driver that is killed", () => {
  describe.each(scenarios)("while $name", ({ before, step, isAllOrNothing }) => {
    it("at any change of state has lost nothing, left nothing half made, and does it when asked again", async () => {
      const whole = await runSteps({ folder: freshFolder(), before, step, armed: "at-step", killAt: -1 });
      expect(whole.points.length).toBeGreaterThan(0);
      for (const [killAt, point] of whole.points.entries()) {
        const folder = freshFolder();
        await runKilled({ folder, before, step, armed: "at-step", killAt });
        const again = await runSteps({ folder, before: [], step, armed: "at-step", killAt: -1 });
        const where = `killed at ${killAt}: ${point}`;
        const acceptable = isAllOrNothing ? [whole.before, whole.after] : [again.before];
        expect(acceptable, where).toContainEqual(again.before);
        expect(again.after, where).toEqual(whole.after);
      }
    });
  });

  it("while it settles what an earlier crash left settles it at the next start", async () => {
    const before: StepName[] = ["create", "stage", "write"];
    const whole = await runSteps({ folder: freshFolder(), before, step: "clone", armed: "at-step", killAt: -1 });
    const crashAt = whole.points.indexOf("image:copied");
    const rehearsal = freshFolder();
    await runKilled({ folder: rehearsal, before, step: "clone", armed: "at-step", killAt: crashAt });
    const settling = await runSteps({
      folder: rehearsal,
      before: [],
      step: "nothing",
      armed: "from-start",
      killAt: -1,
    });
    expect(settling.points.length).toBeGreaterThan(0);
    for (const [killAt, point] of settling.points.entries()) {
      const folder = freshFolder();
      await runKilled({ folder, before, step: "clone", armed: "at-step", killAt: crashAt });
      await runKilled({ folder, before: [], step: "nothing", armed: "from-start", killAt });
      const again = await runSteps({ folder, before: [], step: "clone", armed: "at-step", killAt: -1 });
      const where = `killed while settling at ${killAt}: ${point}`;
      expect(again.before, where).toEqual(whole.before);
      expect(again.after, where).toEqual(whole.after);
    }
  });
});
