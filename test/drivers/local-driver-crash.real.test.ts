import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { faultPointsOfSources } from "./local-driver-fault-points.ts";
import type { Outcome, Plan, StepName } from "./local-driver-plan.ts";
import { type Scenario, scenarios } from "./local-driver-scenarios.ts";
import { discard, freshFolder } from "./local-driver-traces.ts";

const run = promisify(execFile);
const stepProgram = new URL("./local-driver-step.ts", import.meta.url).pathname;
/** Most of a step is Node reading sources: what it made of them is kept from one process to the next. */
const compileCache = mkdtempSync(join(tmpdir(), "stowage-crash-cache-"));
/** For a step that hangs, on however busy a machine. */
const stepTimeoutMs = 200_000;
const folders: string[] = [];

afterAll(() => rmSync(compileCache, { recursive: true }));
afterEach(async () => {
  for (const folder of folders.splice(0)) await discard(folder);
});

function newFolder(): string {
  const folder = freshFolder();
  folders.push(folder);
  return folder;
}

async function runSteps(plan: Plan): Promise<Outcome> {
  const env = { ...process.env, NODE_COMPILE_CACHE: compileCache };
  const { stdout } = await run(process.execPath, [stepProgram, JSON.stringify(plan)], { timeout: stepTimeoutMs, env });
  return JSON.parse(stdout) as Outcome;
}

async function runKilled(plan: Plan): Promise<void> {
  const failure = await runSteps(plan).then(
    () => undefined,
    (error: unknown) => error as { readonly signal?: string; readonly stderr?: string },
  );
  expect(failure?.signal, failure?.stderr).toBe("SIGKILL");
}

const undisturbed = { armed: "at-step", killAt: -1 } as const;
const wholeRuns = new Map<Scenario, Promise<Outcome>>();

/** The scenario without a kill: what is to be reached, and at which points to kill on the way. */
function wholeRunOf(scenario: Scenario): Promise<Outcome> {
  const { form, before, step } = scenario;
  const known = wholeRuns.get(scenario) ?? runSteps({ folder: newFolder(), form, before, step, ...undisturbed });
  wholeRuns.set(scenario, known);
  return known;
}

/** A few at a time: a step waits for the disk more than it computes. */
async function atEachPoint(points: readonly string[], check: (killAt: number, point: string) => Promise<void>) {
  const left = points.entries();
  const takeOn = async () => {
    for (const [killAt, point] of left) await check(killAt, point);
  };
  // All of them, before a failure is told: what still runs would keep its folder from being removed.
  const failed = (await Promise.allSettled([takeOn(), takeOn(), takeOn()])).find(
    (result) => result.status === "rejected",
  );
  if (failed) throw failed.reason;
}

describe.runIf(process.getuid?.() === 0)("a local driver that is killed", () => {
  describe.each(scenarios)("while $name ($form)", (scenario) => {
    it("at any change of state has lost nothing, left nothing half made, and does it when asked again", async () => {
      const { form, before, step, isAllOrNothing } = scenario;
      const whole = await wholeRunOf(scenario);
      expect(whole.points.length).toBeGreaterThan(0);
      await atEachPoint(whole.points, async (killAt, point) => {
        const folder = newFolder();
        await runKilled({ folder, form, before, step, armed: "at-step", killAt });
        const again = await runSteps({ folder, form, before: [], step, ...undisturbed });
        const where = `killed at ${killAt}: ${point}`;
        const acceptable = isAllOrNothing ? [whole.before, whole.after] : [again.before];
        expect(acceptable, where).toContainEqual(again.before);
        expect(again.after, where).toEqual(whole.after);
      });
    });
  });

  it("while it settles what an earlier crash left settles it at the next start", async () => {
    const form = "ext4";
    const before: StepName[] = ["create", "stage", "write"];
    const whole = await runSteps({ folder: newFolder(), form, before, step: "clone", ...undisturbed });
    const crashed = {
      form,
      before,
      step: "clone",
      armed: "at-step",
      killAt: whole.points.indexOf("image:copied"),
    } as const;
    const settling = { form, before: [], step: "nothing", armed: "from-start" } as const;
    const rehearsal = newFolder();
    await runKilled({ folder: rehearsal, ...crashed });
    const settled = await runSteps({ folder: rehearsal, ...settling, killAt: -1 });
    expect(settled.points.length).toBeGreaterThan(0);
    await atEachPoint(settled.points, async (killAt, point) => {
      const folder = newFolder();
      await runKilled({ folder, ...crashed });
      await runKilled({ folder, ...settling, killAt });
      const again = await runSteps({ folder, form, before: [], step: "clone", ...undisturbed });
      const where = `killed while settling at ${killAt}: ${point}`;
      expect(again.before, where).toEqual(whole.before);
      expect(again.after, where).toEqual(whole.after);
    });
  });

  it("was killed at every fault point that its sources have", async () => {
    const { places, operations } = faultPointsOfSources();
    const runs: Outcome[] = [];
    for (const scenario of scenarios) runs.push(await wholeRunOf(scenario));
    const reached = new Set(runs.flatMap((outcome) => outcome.places));
    const names = new Set(runs.flatMap(({ points }) => points));
    expect(places.length).toBeGreaterThan(0);
    expect(places.filter((place) => !reached.has(place))).toEqual([]);
    const steps = ["intent-written", "work-done", "intent-removed"];
    const ofOperations = operations.flatMap((operation) => steps.map((name) => `${operation}:${name}`));
    expect(ofOperations.filter((name) => !names.has(name))).toEqual([]);
    const count = runs.reduce((sum, { points }) => sum + points.length, 0);
    console.info(`killed at ${count} places of ${names.size} names, on ${places.length} lines of the sources`);
  });
});
