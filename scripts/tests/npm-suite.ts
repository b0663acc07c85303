import { runTool } from "../checkout.ts";
import type { Suite } from "./closing-table.ts";
import { type FileResult, isRed } from "./results.ts";

/** Runs npm as a part of a run. Where nobody tells what its tests came to, it is one test of its own. */
export async function runAsSuite(
  name: string,
  npmWords: readonly string[],
  readResults: () => readonly FileResult[] = () => [],
): Promise<Suite> {
  const startedAt = performance.now();
  const code = await runTool("npm", npmWords);
  const seconds = (performance.now() - startedAt) / 1000;
  const told = readResults();
  if (told.some(isRed) || (code === 0 && told.length > 0)) return { name, seconds, results: told };
  const failures =
    code === 0 ? [] : [{ test: `npm ${npmWords.join(" ")}`, message: `exit code ${code}: see what it printed above` }];
  const passed = code === 0 ? 1 : 0;
  const own: FileResult = { file: name, passed, failed: failures.length, skipped: 0, seconds, failures };
  return { name, seconds, results: [...told, own] };
}
