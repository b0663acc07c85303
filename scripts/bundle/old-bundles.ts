import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** A process may load parts of its bundle late; none is expected to run for so long from a checkout that is worked on. */
const KEEP_MS = 30 * 24 * 60 * 60_000;

/** Removes bundles, finished or not, that are older than any process that may still use them. */
export async function removeUnused(bundleFolder: string, currentKey: string): Promise<void> {
  const oldest = Date.now() - KEEP_MS;
  for (const entry of await readdir(bundleFolder, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === currentKey) continue;
    const folder = join(bundleFolder, entry.name);
    const age = await stat(folder).catch(ignoreMissing);
    if (age !== undefined && age.mtimeMs < oldest) await rm(folder, { recursive: true, force: true });
  }
}

/** Somebody else may remove the same. */
function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}
