import { existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { StowageError } from "@stowage/machinery";

const MEBIBYTE = 1024n * 1024n;
/** What a cluster with its demonstration writes in its first hour, twice. */
const NEEDED_BYTES = 64n * MEBIBYTE;

/**
 * Throws UP_DISK_FULL when a cluster could not be kept there. Without room every part of it would complain of something else, and most
 * would only try again.
 */
export function checkRoom(stateDir: string): void {
  const { bavail, bsize } = statfsSync(existingPlace(stateDir), { bigint: true });
  const freeBytes = bavail * bsize;
  if (freeBytes >= NEEDED_BYTES) return;
  const [free, needed] = [freeBytes, NEEDED_BYTES].map((bytes) => `${bytes / MEBIBYTE} MiB`);
  throw new StowageError("UP_DISK_FULL", `${free} are free on the disk of ${stateDir}, and a cluster needs ${needed}`);
}

function existingPlace(path: string): string {
  return existsSync(path) ? path : existingPlace(dirname(path));
}
