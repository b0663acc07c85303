import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseMountTable } from "@stowage/csi/host";
import { StowageError } from "@stowage/machinery";

/** A Pod's own, laid out as kubelet's are. */
export function makePodFolders(folder: string): void {
  ensureFolder(dirname(folder), true);
  // Not with all above them at once: then it would not be told that nothing can be written.
  for (const name of ["", "volumes", "plugins"]) ensureFolder(join(folder, name), false);
}

function ensureFolder(path: string, isWithAllAbove: boolean): void {
  try {
    mkdirSync(path, { recursive: isWithAllAbove, mode: 0o750 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Throws `VOLUME_BUSY` while something is mounted below: what is in a volume is not the Pod's folder's to remove. */
export function removePodFolder(folder: string): void {
  const left = parseMountTable(readFileSync("/proc/self/mountinfo", "utf8")).find(({ mountPoint }) =>
    mountPoint.startsWith(`${folder}/`),
  );
  if (left !== undefined) throw new StowageError("VOLUME_BUSY", `${left.mountPoint} is still mounted`);
  rmSync(folder, { recursive: true, force: true });
}

/** What went wrong; with a path as Go words it: `mkdir /pods/a: read-only file system`. */
export function pathFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, code, syscall, path } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined || path === undefined) return message;
  const [what = ""] = message.slice(`${code}: `.length).split(",", 1);
  return `${syscall} ${path}: ${what}`;
}
