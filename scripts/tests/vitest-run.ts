import { type ChildProcess, spawn } from "node:child_process";
import { checkout } from "../checkout.ts";
import { type FileResult, isRed, ResultsFolder } from "./results.ts";
import { suiteVariable } from "./results-reporter.ts";
import type { Place } from "./test-file.ts";

export interface RunRequest {
  /** Under which name its report is kept. */
  readonly suite: string;
  readonly places: readonly Place[];
  /** Those that are run, or the beginnings of their paths; all of the places when there is none. */
  readonly files?: readonly string[];
  /** Further words for vitest. */
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The report goes on where an earlier run of the suite was broken off. */
  readonly continues?: boolean;
  readonly quiet?: boolean;
}

export interface RunOutcome {
  readonly results: readonly FileResult[];
  readonly seconds: number;
  readonly isGreen: boolean;
}

/** Runs tests by vitest. What it came to is what its reporter wrote down, and not what its exit code says alone. */
export async function runVitest(request: RunRequest): Promise<RunOutcome> {
  const report = new ResultsFolder(request.suite);
  if (request.continues !== true) report.empty();
  const before = report.read().length;
  const startedAt = performance.now();
  const code = await ended(
    spawn("vitest", vitestWords(request, report), {
      cwd: checkout,
      stdio: request.quiet === true ? "ignore" : ["ignore", "inherit", "inherit"],
      env: { ...process.env, ...request.env, [suiteVariable]: request.suite },
    }),
  );
  const results = report.read().slice(before);
  // A set-up that fails, or a run that is ended from outside, has written nothing of it.
  const isUntold = code !== 0 && !results.some(isRed);
  if (isUntold) report.add(untold(code));
  const all = isUntold ? [...results, untold(code)] : results;
  return {
    results: all,
    seconds: (performance.now() - startedAt) / 1000,
    isGreen: !all.some(isRed) && all.length > 0,
  };
}

function vitestWords(request: RunRequest, report: ResultsFolder): string[] {
  return [
    "run",
    ...request.places.flatMap((place) => ["--project", place]),
    "--reporter=default",
    "--reporter=./scripts/tests/results-reporter.ts",
    "--reporter=junit",
    `--outputFile.junit=${report.junit}`,
    ...(request.flags ?? []),
    ...(request.files ?? []),
  ];
}

async function ended(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
}

function untold(code: number): FileResult {
  const message = `vitest ended with exit code ${code}, and no file says why: see what it printed`;
  return { file: "(run)", passed: 0, failed: 1, skipped: 0, seconds: 0, failures: [{ test: "(set-up)", message }] };
}
