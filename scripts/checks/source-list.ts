import { glob } from "node:fs/promises";

/** Every TypeScript source of the packages and the lab, relative to the checkout. */
export async function listSources(checkout: string): Promise<string[]> {
  const sources: string[] = [];
  const patterns = ["packages/*/src/**/*.ts", "lab/src/**/*.ts"];
  for await (const file of glob(patterns, { cwd: checkout })) sources.push(file);
  return sources.sort();
}
