import { constants } from "node:fs";
import { type FileHandle, mkdir, open, realpath, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { StowageError } from "@stowage/machinery";

/** Opens a place without anything of what is there: not even a pipe waits then. Node does not name this flag. */
export const O_PATH = 0o10_000_000;
const asPlace = O_PATH | constants.O_NOFOLLOW;
const asFolder = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Something of what is open, by a path that nobody can lead elsewhere meanwhile. */
export function openedPath({ fd }: FileHandle, part = ""): string {
  return join("/proc/self/fd", String(fd), part);
}

/**
 * Opens what is at a path within a folder, one part after the other, and follows no links: neither those that are there nor those
 * that somebody puts there at this very moment. `base` must be free of links itself; whoever calls closes what is returned.
 */
export async function openWithin(base: string, path: string): Promise<FileHandle> {
  const parts = partsBelow(base, path);
  let opened = await open(base, asPlace);
  for (const part of parts) {
    const parent = opened;
    try {
      opened = await openPart(parent, part);
    } finally {
      await parent.close();
    }
  }
  return opened;
}

async function openPart(parent: FileHandle, part: string): Promise<FileHandle> {
  const opened = await open(openedPath(parent, part), asPlace);
  return closedOnFailure(opened, async () => {
    if ((await opened.stat()).isSymbolicLink()) throw outside(`there is a link in place of ${part}`);
  });
}

async function closedOnFailure(opened: FileHandle, work: () => Promise<void>): Promise<FileHandle> {
  try {
    await work();
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Makes the folders of a path that are not there, each with this mode, and nothing outside of `base`. */
export async function makeFoldersWithin(base: string, path: string, mode: number): Promise<void> {
  const realBase = await realpath(base);
  const { existing, missing } = await existingPart(realBase, path);
  let parent = await openWithin(realBase, await realpath(existing));
  try {
    for (const name of missing) {
      const child = await makeFolder(parent, name, mode);
      await parent.close();
      parent = child;
    }
  } finally {
    await parent.close();
  }
}

async function existingPart(base: string, path: string): Promise<{ existing: string; missing: string[] }> {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  let existing = base;
  for (const [index, part] of parts.entries()) {
    const next = join(existing, part);
    if (!(await isThere(next))) return { existing, missing: parts.slice(index) };
    existing = next;
  }
  return { existing, missing: [] };
}

async function makeFolder(parent: FileHandle, name: string, mode: number): Promise<FileHandle> {
  const path = openedPath(parent, name);
  await mkdir(path, { mode });
  const made = await open(path, asFolder);
  // Not left to the mask of this process.
  return closedOnFailure(made, () => made.chmod(mode));
}

/** Also by way of links. */
export async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    throw error;
  }
}

function partsBelow(base: string, path: string): string[] {
  const parts = relative(base, path).split("/");
  if (parts[0] === "..") throw outside(`${path} is not within ${base}`);
  return parts.filter((part) => part !== "");
}

function outside(message: string): StowageError {
  return new StowageError("CONTAINER_CONFIG", message);
}
