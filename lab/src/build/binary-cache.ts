import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { hasSystemCode } from "../errors.ts";
import { temporaryName } from "../files.ts";

const UNUSED_AFTER_MS = 30 * 24 * 60 * 60_000;

/** Binaries that any checkout of this user on this machine has built: `<stamp>/<binary>`. */
export function machineCacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  return join(environment.XDG_CACHE_HOME || join(homedir(), ".cache"), "stowage", "lab");
}

/** Puts the cached binary at `to`; false when there is none. */
export function restoreBinary(cache: string, stamp: string, to: string): boolean {
  const cached = join(cache, stamp, nameOf(to));
  if (!existsSync(cached)) return false;
  placeFile(cached, to);
  utimesSync(dirname(cached), new Date(), new Date()); // It is in use: see removeUnusedStamps.
  return true;
}

/** A cache that cannot be written (read-only home, full disk, somebody tidying it up) costs the next clone time and nothing else. */
export function publishBinary(cache: string, stamp: string, from: string): void {
  try {
    placeFile(from, join(cache, stamp, nameOf(from)));
    removeUnusedStamps(cache, Date.now() - UNUSED_AFTER_MS);
  } catch (error) {
    if (!hasSystemCode(error, "EACCES", "EROFS", "ENOSPC", "EPERM", "EDQUOT", "ENOENT")) throw error;
  }
}

/** A stamp's binaries are half a gigabyte; those of versions long gone are not kept. */
export function removeUnusedStamps(cache: string, before: number): void {
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name);
    if (statSync(folder).mtimeMs < before) rmSync(folder, { recursive: true, force: true });
  }
}

/** A hard link where the file system allows it, else a copy; whoever looks sees the whole file or none. */
export function placeFile(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  const temporary = temporaryName(to);
  try {
    try {
      linkSync(from, temporary);
    } catch (error) {
      if (!hasSystemCode(error, "EXDEV", "EPERM", "EMLINK", "ENOTSUP")) throw error;
      copyFileSync(from, temporary);
      chmodSync(temporary, 0o755);
    }
    renameSync(temporary, to);
  } finally {
    rmSync(temporary, { force: true }); // A rename onto another link of the same file leaves both names.
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
