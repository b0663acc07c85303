import { rmdirSync, unlinkSync } from "node:fs";
import { dirname } from "node:path";
import { type Mounter, mountAt } from "@stowage/csi/host";
import type { Logger } from "@stowage/machinery";
import type { CsiPlace } from "./csi-paths.ts";
import { isAbsent } from "./volume-data.ts";

/**
 * Takes away what was made for a driver's mount, unless something is still mounted there: then it stays as it is, and nothing below it
 * is touched. A driver should have removed its own folder; one that did not is helped, as long as nothing is in it.
 */
export async function removeMountFolder(mounter: Mounter, { path, dataPath }: CsiPlace): Promise<void> {
  if ((await mountAt(mounter, path)) !== undefined) return;
  for (const each of [path, dataPath, dirname(path)]) removeEmpty(each);
}

/** A file, or a folder with nothing in it. */
export function removeEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOTDIR") unlinkSync(path);
    else if (!isAbsent(error)) throw error;
  }
}

/** After a step that failed, which is what has to be told then. */
export async function tidy({ logger }: { readonly logger: Logger }, work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => logger.warn({ error }, "what was made for a volume could not be removed"));
}
