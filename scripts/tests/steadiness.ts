import { type ChildProcess, spawn } from "node:child_process";
import { type FileResult, isRed } from "./results.ts";
import type { TestFile } from "./test-file.ts";
import { runVitest } from "./vitest-run.ts";

export interface Steadiness {
  readonly file: string;
  readonly times: number;
  readonly passed: number;
  /** Sorted. */
  readonly seconds: readonly number[];
  /** Of each time that it failed. */
  readonly logs: readonly string[];
}

/**
 * Runs files so many times beside busy loops: every second time all in one process in a shuffled order, else each alone. The neighbours are
 * company for a file that would have none.
 */
export async function measureSteadiness(
  files: readonly TestFile[],
  {
    times,
    busy,
    neighbours,
  }: { readonly times: number; readonly busy: number; readonly neighbours: readonly TestFile[] },
): Promise<Steadiness[]> {
  const results = new Map<string, (FileResult | undefined)[]>(files.map(({ path }) => [path, []]));
  const loops = Array.from({ length: busy }, startBusyLoop);
  try {
    for (let round = 1; round <= times; round++) {
      const together = files.length === 1 ? [...files, ...neighbours] : files;
      for (const batch of round % 2 === 1 ? [together] : files.map((file) => [file])) {
        const outcome = await runRound(batch, round);
        for (const { path } of files)
          if (batch.some((each) => each.path === path))
            results.get(path)?.push(outcome.find(({ file }) => file === path));
      }
      const red = [...results.values()].filter((all) => all.some((each) => each === undefined || isRed(each))).length;
      console.log(`round ${round} of ${times}: ${red} of ${files.length} files have failed so far`);
    }
  } finally {
    for (const loop of loops) loop.kill("SIGKILL");
  }
  return [...results].map(([file, all]) => steadinessOf(file, all));
}

async function runRound(batch: readonly TestFile[], round: number): Promise<readonly FileResult[]> {
  const { results } = await runVitest({
    // The logs of each round are kept.
    suite: batch.length === 1 ? `steady/${round}-${batch[0]?.path.replaceAll("/", "__")}` : `steady/${round}`,
    places: [...new Set(batch.map(({ place }) => place))],
    files: batch.map(({ path }) => path),
    flags: ["--maxWorkers=1", "--sequence.shuffle.files", `--sequence.seed=${round}`],
    quiet: true,
  });
  return results;
}

/** Keeps a core busy, and ends with whoever started it. */
function startBusyLoop(): ChildProcess {
  const program =
    "const parent = process.ppid; for (;;) { const end = Date.now() + 1000; while (Date.now() < end); if (process.ppid !== parent) process.exit(); }";
  return spawn(process.execPath, ["-e", program], { stdio: "ignore" });
}

/** A file without a result, since its run was lost as a whole, has failed. */
export function steadinessOf(file: string, all: readonly (FileResult | undefined)[]): Steadiness {
  const told = all.filter((each) => each !== undefined);
  return {
    file,
    times: all.length,
    passed: told.filter((each) => !isRed(each)).length,
    seconds: told.map(({ seconds }) => seconds).sort((a, b) => a - b),
    logs: told.flatMap(({ log }) => log ?? []),
  };
}

export function steadinessTable(rows: readonly Steadiness[]): string {
  const lines = rows.map(({ file, times, passed, seconds, logs }) => {
    const middle = seconds[Math.floor(seconds.length / 2)] ?? 0;
    const range = `${(seconds[0] ?? 0).toFixed(1)} / ${middle.toFixed(1)} / ${(seconds.at(-1) ?? 0).toFixed(1)} s`;
    return [
      `${passed === times ? "ok    " : "FAILED"} ${passed} of ${times}  ${range}  ${file}`,
      ...logs.map((log) => `         ${log}`),
    ];
  });
  return ["passed, and least / middle / most seconds", ...lines.flat()].join("\n");
}
