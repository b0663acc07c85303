import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const sources = new URL("../../packages/drivers/src/local", import.meta.url).pathname;

export interface FaultPointsOfSources {
  /** Every line that has a fault point: `storage/loop-devices.ts:39`. */
  readonly places: readonly string[];
  /** Every operation that leaves an intent; each has three fault points that are named after it. */
  readonly operations: readonly string[];
}

/** Read from the sources, so that a fault point that is added and that no scenario reaches does not go unnoticed. */
export function faultPointsOfSources(): FaultPointsOfSources {
  const places: string[] = [];
  const operations = new Set<string>();
  for (const path of globSync("**/*.ts", { cwd: sources, exclude: ["**/*.test.ts", "fixtures/**"] })) {
    for (const [index, line] of readFileSync(join(sources, path), "utf8").split("\n").entries()) {
      if (/[fF]aultPoint\(/.test(line)) places.push(`${path}:${index + 1}`);
      const [, operation] = /intentId\("([a-z-]+)"/.exec(line) ?? [];
      if (operation !== undefined) operations.add(operation);
    }
  }
  return { places: places.sort(), operations: [...operations].sort() };
}
