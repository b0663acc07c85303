import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Hundreds of processes of the same sources are started: what one has compiled, the next takes up. Goes with the run. */
export function setup(): (() => void) | undefined {
  // The other project was here before, or whoever started the run has one.
  if (process.env["NODE_COMPILE_CACHE"] !== undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "stowage-compiled-"));
  process.env["NODE_COMPILE_CACHE"] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
