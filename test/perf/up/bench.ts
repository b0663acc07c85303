import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { command } from "../../up/stowage-up/running-up.ts";
import { Bars } from "../sidecars/bars.ts";
import { type StepSeconds, UpRun } from "./up-run.ts";

const MAXIMUM_SECONDS = 10;
const MAXIMUM_PSS_MB = 500;
const MB = 1_000_000;
/** That counts: the Pod has written to its volume. */
const lastStep = "pod";

/** From `npm start` to a Pod that has written, from nothing and again after Ctrl-C, and what all of it takes at rest. */
export async function benchUp(benchArguments: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...benchArguments],
    options: { runs: { type: "string", default: "3" }, rest: { type: "string", default: "30" } },
  });
  const [runs, restMs] = [Number(values.runs), Number(values.rest) * 1_000];
  console.log(`${runs} runs from nothing, each again after Ctrl-C; memory after ${values.rest} s at rest`);
  prepare();
  const bars = new Bars();
  for (let run = 1; run <= runs; run += 1) {
    const stateDir = mkdtempSync(join(tmpdir(), "stowage-bench-up-"));
    try {
      for (const how of ["from nothing", "again"]) {
        await using up = new UpRun(stateDir);
        const steps = await up.steps();
        console.log(`run ${run}, ${how}: ${stepsText(steps)}`);
        bars.atMost(`seconds to a Pod that has written, ${how}`, steps.get(lastStep) ?? Infinity, MAXIMUM_SECONDS);
        await sleep(restMs);
        bars.atMost(`MB of PSS, ${how}`, Math.round((await up.pssBytes()) / MB), MAXIMUM_PSS_MB);
      }
    } finally {
      stowage("reset", "--state-dir", stateDir);
      rmSync(stateDir, { recursive: true, force: true });
    }
  }
  if (!bars.areMet) console.error(`missed: ${[...new Set(bars.missed)].join("; ")}`);
  return bars.areMet;
}

/** Set-up and bundle are made the first time that any command is typed, and are not measured. */
function prepare(): void {
  stowage("--version");
}

function stowage(...words: string[]): void {
  execFileSync(process.execPath, [command, ...words], { stdio: ["ignore", "ignore", "inherit"] });
}

function stepsText(steps: StepSeconds): string {
  return [...steps].map(([step, seconds]) => `${step} ${seconds.toFixed(1)} s`).join(", ");
}
