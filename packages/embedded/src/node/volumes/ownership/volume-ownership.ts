import { constants, type Stats } from "node:fs";
import { chmod, chown, type FileHandle, lchown, lstat, open, readdir } from "node:fs/promises";
import { O_PATH, openedPath } from "../subpath/opened-path.ts";
import { type GroupWish, groupMode, isGroupsOwn, isLeftAsItIs } from "./owned-mode.ts";

export interface VolumeOwnership extends GroupWish {
  /** The volume's root. */
  readonly path: string;
  /** `OnRootMismatch` or `Always`, which is usual. */
  readonly changePolicy: string | undefined;
  /** Told after every so many files, as far as it has come. */
  readonly onProgress?: (files: number) => void;
}

/** So many at once that a large volume takes its time, and nobody else's. */
const AT_ONCE = 64;

interface Walk {
  readonly wish: VolumeOwnership;
  /** What else is mounted in the volume is not its own. */
  readonly device: number;
  readonly signal: AbortSignal;
  files: number;
}

/**
 * Gives everything in a volume to the group of a Pod, and lets the group use it. Follows no link, also none that is put there
 * meanwhile, and stays on the volume's file system. The root is done last. What cannot be changed is left, as on a file system
 * that knows no groups; what cannot be read is thrown.
 */
export async function setVolumeOwnership(wish: VolumeOwnership, signal: AbortSignal): Promise<void> {
  const root = await open(wish.path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = await root.stat();
    if (isLeftAsItIs(stat, wish, wish.changePolicy)) return;
    const walk: Walk = { wish, device: stat.dev, signal, files: 0 };
    if (stat.isDirectory()) await changeAllIn(walk, root);
    await change(walk, root, stat);
  } finally {
    await root.close();
  }
}

async function changeAllIn(walk: Walk, folder: FileHandle): Promise<void> {
  const names = await readdir(openedPath(folder));
  for (let start = 0; start < names.length; start += AT_ONCE) {
    walk.signal.throwIfAborted();
    const some = names.slice(start, start + AT_ONCE);
    const folders = await Promise.all(some.map((name) => changeUnlessFolder(walk, folder, name)));
    // One after the other, so that no more of them are open than the tree is deep.
    for (const name of folders) if (name !== undefined) await changeFolder(walk, folder, name);
  }
}

/** Returns the name of what is a folder. */
async function changeUnlessFolder(walk: Walk, folder: FileHandle, name: string): Promise<string | undefined> {
  const path = openedPath(folder, name);
  const stat = await lstat(path).catch(ignoreMissing);
  if (stat === undefined || stat.dev !== walk.device) return undefined;
  if (stat.isDirectory()) return name;
  if (stat.isSymbolicLink()) {
    if (stat.gid !== walk.wish.fsGroup) await lchown(path, -1, walk.wish.fsGroup).catch(leave);
    count(walk);
  } else if (isGroupsOwn(stat, walk.wish)) {
    count(walk);
  } else {
    await opened(path, O_PATH | constants.O_NOFOLLOW, (handle, found) => change(walk, handle, found));
  }
  return undefined;
}

async function changeFolder(walk: Walk, parent: FileHandle, name: string): Promise<void> {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  await opened(openedPath(parent, name), flags, async (folder, stat) => {
    if (stat.dev !== walk.device) return;
    await changeAllIn(walk, folder);
    await change(walk, folder, stat);
  });
}

/** What is open is changed, whatever its name stands for by now. */
async function change(walk: Walk, handle: FileHandle, stat: Stats): Promise<void> {
  const { wish } = walk;
  count(walk);
  if (stat.isSymbolicLink() || isGroupsOwn(stat, wish)) return;
  const path = openedPath(handle);
  if (stat.gid !== wish.fsGroup) await chown(path, -1, wish.fsGroup).catch(leave);
  // Also after the group has changed, which takes away some of the mode.
  await chmod(path, groupMode(stat, wish.isReadOnly)).catch(leave);
}

async function opened(
  path: string,
  flags: number,
  use: (handle: FileHandle, stat: Stats) => Promise<void>,
): Promise<void> {
  const handle = await open(path, flags).catch(ignoreMissing);
  if (handle === undefined) return;
  try {
    await use(handle, await handle.stat());
  } finally {
    await handle.close();
  }
}

function count(walk: Walk): void {
  walk.files++;
  walk.wish.onProgress?.(walk.files);
}

/** Containers of other Pods may write to the volume meanwhile: what is gone, or is no folder any more, needs nothing. */
function ignoreMissing(error: unknown): undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== "ENOENT" && code !== "ENOTDIR" && code !== "ELOOP") throw error;
}

/** As kubelet does: a Pod may do well with what it cannot change. */
function leave(): void {}
