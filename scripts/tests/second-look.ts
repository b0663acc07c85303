import type { Suite } from "./closing-table.ts";
import { type FileResult, isRed } from "./results.ts";
import { orderVariable } from "./shortest-first.ts";
import { realPlaces } from "./test-file.ts";
import { runVitest } from "./vitest-run.ts";

/** How often a red file is run again. */
export const looks = 2;

/** What a second look asks for: a run of one file, alone. */
export type RunAlone = (file: string, look: number) => Promise<boolean>;

export interface SecondLook {
  /** With the unsteady ones counted as passed: what the run is judged by. */
  readonly results: readonly FileResult[];
  /** As they were the first time. */
  readonly unsteady: readonly FileResult[];
}

/**
 * A file on real components that fails is run twice more, alone. When it passes both times, it is unsteady: the change is not to blame,
 * and the file is to be mended, or leaves the gate, with the next one. Failing once more, it is red. What failed outside of all files stays red.
 */
export async function lookAgain(results: readonly FileResult[], runAlone: RunAlone): Promise<SecondLook> {
  const unsteady: FileResult[] = [];
  const judged: FileResult[] = [];
  for (const result of results) {
    const isUnsteady = isRed(result) && (await passesAgain(result, runAlone));
    if (isUnsteady) unsteady.push(result);
    judged.push(isUnsteady ? { ...result, passed: result.passed + result.failed, failed: 0, failures: [] } : result);
  }
  return { results: judged, unsteady };
}

async function passesAgain({ file }: FileResult, runAlone: RunAlone): Promise<boolean> {
  if (!file.endsWith(".test.ts")) return false;
  for (let look = 1; look <= looks; look++) if (!(await runAlone(file, look))) return false;
  return true;
}

/** Runs files on real components as a suite, and looks again at those that failed. The logs of both times are kept. */
export async function runSteadily(name: string, files: readonly string[]): Promise<Suite> {
  const env = { [orderVariable]: "shortest-first" };
  const first = await runVitest({ suite: name, places: realPlaces, files, env });
  const startedAt = performance.now();
  const { results, unsteady } = await lookAgain(first.results, async (file, look) => {
    console.log(`\n${file} failed: running it alone, ${look} of ${looks}`);
    return (await runVitest({ suite: `${name}-again-${look}`, places: realPlaces, files: [file] })).isGreen;
  });
  return { name, results, unsteady, seconds: first.seconds + (performance.now() - startedAt) / 1000 };
}
