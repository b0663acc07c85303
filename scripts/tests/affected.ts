import { execFileSync } from "node:child_process";
import { checkout } from "../checkout.ts";
import type { Durations } from "./durations.ts";
import type { ImportGraph, Reach } from "./import-graph.ts";
import { looks } from "./second-look.ts";
import { isIn, type TestFile } from "./test-file.ts";

/** Changes of these reach every test. */
const everywhere = ["package.json", "package-lock.json", "tsconfig.json", "vitest.config.ts", "bootstrap"];

export interface Affected {
  readonly file: TestFile;
  /** From the test to what was changed. */
  readonly why: readonly string[];
}

/** The tests that a change reaches, each with a way that leads to it. */
export function affectedTests(files: readonly TestFile[], graph: ImportGraph, changed: readonly string[]): Affected[] {
  const common = changed.find((path) => everywhere.some((each) => isIn(path, each)));
  return files.flatMap((file): Affected[] => {
    if (common !== undefined) return [{ file, why: [file.path, common] }];
    const reach = graph.reach(file.path);
    for (const path of changed) {
      const met = reach.has(path) ? path : folderAbove(path, reach);
      if (met !== undefined) return [{ file, why: met === path ? wayTo(path, reach) : [...wayTo(met, reach), path] }];
    }
    return [];
  });
}

/** Whoever names a folder reads what is in it. */
function folderAbove(path: string, reach: Reach): string | undefined {
  const parts = path.split("/");
  for (let count = parts.length - 1; count >= 2; count--) {
    const folder = parts.slice(0, count).join("/");
    if (reach.has(folder)) return folder;
  }
  return undefined;
}

function wayTo(path: string, reach: Reach): string[] {
  const way: string[] = [];
  for (let at: string | undefined = path; at !== undefined; at = reach.get(at)) way.unshift(at);
  return way;
}

/** Shortest first, as many as there is time for. The longest of them may fail and have to be looked at again. */
export function fitting(affected: readonly Affected[], durations: Durations, seconds: number) {
  const sorted = affected.toSorted((a, b) => durations.of(a.file) - durations.of(b.file));
  const chosen: Affected[] = [];
  const leftOut: Affected[] = [];
  let used = 0;
  for (const each of sorted) {
    used += durations.cost(each.file);
    const fits = used + againSeconds(each, durations) <= seconds;
    (fits ? chosen : leftOut).push(each);
  }
  return { chosen, leftOut };
}

/** How long it takes to look at a file again. */
export function againSeconds({ file }: Affected, durations: Durations): number {
  return looks * durations.of(file);
}

const git = (...words: string[]) =>
  execFileSync("git", words, { cwd: checkout, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();

/**
 * What a change is compared to when nobody says: where the branch left its upstream; on a clone that has landed already, the last commit
 * that is four hours older than the newest.
 */
export function defaultBase(): string {
  const upstream = answer(() => git("merge-base", "HEAD", "@{upstream}"));
  if (upstream !== undefined && upstream !== git("rev-parse", "HEAD")) return upstream;
  const newest = Number(git("log", "-1", "--format=%ct"));
  const old = git("rev-list", "-1", `--before=${newest - 4 * 60 * 60}`, "HEAD");
  return old === "" ? (git("rev-list", "--max-parents=0", "HEAD").split("\n").at(-1) ?? "HEAD") : old;
}

export function isRevision(base: string): boolean {
  return answer(() => git("rev-parse", "--verify", "--quiet", `${base}^{commit}`)) !== undefined;
}

/** Paths that differ from the base, those that are not committed among them. */
export function changedSince(base: string): string[] {
  const committed = git("diff", "--name-only", "--no-renames", base);
  const untracked = git("ls-files", "--others", "--exclude-standard");
  return [...committed.split("\n"), ...untracked.split("\n")].filter((path) => path !== "");
}

function answer(ask: () => string): string | undefined {
  try {
    return ask();
  } catch {
    return undefined; // There is no upstream.
  }
}
