import { glob } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Where a test runs, as the second word of its name says (docs/design/024-tests.md has the table):
 * - `unit`: `NAME.test.ts`, Node alone, in processes that it shares with others;
 * - `isolated`: the same, in a process of its own, since it changes the process itself;
 * - `apart`: real components of its own, on nothing that others use: two at a time;
 * - `real`: real components that are shared, or all of the machine: one at a time;
 * - `root`: a test beside the source that needs root and real file systems: one at a time.
 */
export const places = ["unit", "isolated", "apart", "real", "root"] as const;
export type Place = (typeof places)[number];

/** Those that need more than Node. */
export const realPlaces = ["apart", "real", "root"] as const satisfies readonly Place[];

export interface TestFile {
  /** Relative to the checkout. */
  readonly path: string;
  readonly place: Place;
  /** Whether every change has to pass it: unit tests, and what has `.gate` in its name. */
  readonly isInGate: boolean;
}

/** Whether it runs by `npm test`. */
export function needsNodeAlone({ place }: Pick<TestFile, "place">): boolean {
  return place === "unit" || place === "isolated";
}

const roots = "{packages/*/src,lab/src,bootstrap,scripts,test}";

/** What `vitest.config.ts` includes for each place. The names of unit tests have one word, all others say their place. */
export function includeOf(place: Place): string {
  return place === "unit" ? `${roots}/**/+([a-z0-9-]).test.ts` : `${roots}/**/*.${place}.test.ts`;
}

const testName = /(?:^|\/)[a-z0-9-]+(?<gate>\.gate)?(?:\.(?<place>isolated|apart|real|root))?\.test\.ts$/u;

/** Nothing when the name says no place that there is. */
export function testFileOf(path: string): TestFile | undefined {
  const words = testName.exec(path)?.groups;
  if (words === undefined) return undefined;
  const place = (words["place"] ?? "unit") as Place;
  const isMarked = words["gate"] !== undefined;
  const isUnit = needsNodeAlone({ place });
  return isUnit && isMarked ? undefined : { path, place, isInGate: isUnit || isMarked };
}

async function testPaths(checkout: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const path of glob(`${roots}/**/*.test.ts`, { cwd: checkout })) paths.push(path);
  return paths.sort();
}

export async function listTestFiles(checkout: string): Promise<TestFile[]> {
  return (await testPaths(checkout)).flatMap((path) => testFileOf(path) ?? []);
}

/** Tests that would run nowhere, or that no group of the release tier has. */
export async function misplacedTests(checkout: string, folders: readonly string[]): Promise<string[]> {
  return (await testPaths(checkout)).flatMap((path) => misplacement(path, folders) ?? []);
}

export function misplacement(path: string, folders: readonly string[]): string | undefined {
  const file = testFileOf(path);
  if (file === undefined)
    return `${path}: its name says no place to run; it is NAME[.gate].(apart|real|root).test.ts, NAME.isolated.test.ts or NAME.test.ts`;
  if (needsNodeAlone(file)) return undefined;
  if (folders.some((folder) => isIn(path, folder))) return undefined;
  return `${path}: ${dirname(path)} belongs to no group of scripts/tests/groups.ts`;
}

export function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
