import type { BigIntStats } from "node:fs";
import { lstat, readdir, statfs } from "node:fs/promises";
import { join } from "node:path";

/** What is known of a volume's fill at some time. */
export interface VolumeUsage {
  readonly timeMs: number;
  readonly availableBytes: bigint;
  readonly capacityBytes: bigint;
  readonly usedBytes: bigint;
  readonly inodes: bigint;
  readonly inodesFree: bigint;
  readonly inodesUsed: bigint;
  /** What its driver says of its health, when it says something. */
  readonly health?: { readonly isAbnormal: boolean; readonly message: string };
}

const BLOCK_BYTES = 512n;
/** So many at once: a large folder takes its time, and nobody else's. */
const AT_ONCE = 64;

/** Of a volume that has a file system to itself. */
export async function fileSystemUsage(path: string, timeMs: number): Promise<VolumeUsage> {
  const { bsize, blocks, bfree, bavail, files, ffree } = await statfs(path, { bigint: true });
  return {
    timeMs,
    availableBytes: bavail * bsize,
    capacityBytes: blocks * bsize,
    usedBytes: (blocks - bfree) * bsize,
    inodes: files,
    inodesFree: ffree,
    inodesUsed: files - ffree,
  };
}

/** Of a folder: what is used is counted, and what is left is that of the file system that it is on. */
export async function folderUsage(path: string, timeMs: number, signal: AbortSignal): Promise<VolumeUsage> {
  const root = await lstat(path, { bigint: true });
  const count: Count = { device: root.dev, seen: new Set(), usedBytes: 0n, inodesUsed: 0n, signal };
  add(count, root);
  await addAllIn(count, path);
  const { usedBytes, inodesUsed } = count;
  return { ...(await fileSystemUsage(path, timeMs)), usedBytes, inodesUsed };
}

interface Count {
  /** What is mounted below is not counted. */
  readonly device: bigint;
  /** Files with several names are counted once. */
  readonly seen: Set<bigint>;
  usedBytes: bigint;
  inodesUsed: bigint;
  readonly signal: AbortSignal;
}

async function addAllIn(count: Count, folder: string): Promise<void> {
  const names = (await readdir(folder).catch(ignoreMissing)) ?? [];
  for (let start = 0; start < names.length; start += AT_ONCE) {
    count.signal.throwIfAborted();
    const paths = names.slice(start, start + AT_ONCE).map((name) => join(folder, name));
    const stats = await Promise.all(paths.map((path) => lstat(path, { bigint: true }).catch(ignoreMissing)));
    for (const [index, stat] of stats.entries()) {
      if (stat === undefined || !add(count, stat) || !stat.isDirectory()) continue;
      await addAllIn(count, paths[index] as string);
    }
  }
}

function add(count: Count, { dev, ino, nlink, blocks }: BigIntStats): boolean {
  if (dev !== count.device || (nlink > 1n && count.seen.has(ino))) return false;
  if (nlink > 1n) count.seen.add(ino);
  count.usedBytes += blocks * BLOCK_BYTES;
  count.inodesUsed++;
  return true;
}

/** Whoever uses the volume removes files meanwhile. */
function ignoreMissing(error: unknown): undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
}
