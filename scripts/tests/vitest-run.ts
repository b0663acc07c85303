import { type ChildProcess, spawn } from "node:child_process";
import { checkout } from "../checkout.ts";
import { type FileResult, isRed, ResultsFolder } from "./results.ts";
import { suiteVariable } from "./results-reporter.ts";
import { isIn, type Place } from "./test-file.ts";

export interface RunRequest {
  /** Under which name its report is kept. */
  readonly suite: string;
  readonly places: readonly Place[];
  /** Those that are run, or folders of them; all of the places when there is none. */
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
  const untold = untoldOf(request, results, code);
  for (const each of untold) report.add(each);
  const all = [...results, ...untold];
  return {
    results: all,
    seconds: (performance.now() - startedAt) / 1000,
    isGreen: !all.some(isRed) && all.length > 0,
  };
}

/** What no result tells of: files that were asked for and not run, a set-up that failed, a run that was ended from outside. */
function untoldOf({ files = [] }: RunRequest, results: readonly FileResult[], code: number): FileResult[] {
  const isTold = (path: string) => results.some(({ file }) => isIn(file, path.replace(/\/$/u, "")));
  const missing = files.filter((path) => !isTold(path));
  if (missing.length > 0)
    return missing.map((path) => unrun(path, `it was not run: vitest ended with exit code ${code}`));
  if (code === 0 || results.some(isRed)) return [];
  return [unrun("(run)", `vitest ended with exit code ${code}, and no file says why: see what it printed`)];
}

function unrun(file: string, message: string): FileResult {
  return { file, passed: 0, failed: 1, skipped: 0, seconds: 0, failures: [{ test: "(set-up)", message }] };
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
