import { existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { type Clock, StowageError } from "@stowage/machinery";

const MEBIBYTE = 1024n * 1024n;
/** What a cluster with its demonstration writes in its first hour, twice. */
const NEEDED_BYTES = 64n * MEBIBYTE;
/** With less than that the API server may refuse the next write. */
const LOW_BYTES = 8n * MEBIBYTE;
const LOOK_EVERY_MS = 5_000;

/**
 * Throws UP_DISK_FULL when a cluster could not be kept there. Without room every part of it would complain of something else, and most
 * would only try again.
 */
export function checkRoom(stateDir: string): void {
  const freeBytes = freeBytesOf(stateDir);
  if (freeBytes >= NEEDED_BYTES) return;
  const [free, needed] = [mebibytes(freeBytes), mebibytes(NEEDED_BYTES)];
  throw new StowageError("UP_DISK_FULL", `${free} are free on the disk of ${stateDir}, and a cluster needs ${needed}`);
}

export interface RoomWatch {
  readonly stateDir: string;
  readonly clock: Clock;
  warned(text: string): void;
  freeBytes?(): bigint;
}

/**
 * Tells when the disk of a running cluster has become full, and when there is room again, until the signal is aborted. Nothing ends for it:
 * what was answered for is kept, and everybody goes on when they can.
 */
export async function watchRoom({ stateDir, clock, warned, ...seam }: RoomWatch, signal: AbortSignal): Promise<void> {
  const { freeBytes = () => freeBytesOf(stateDir) } = seam;
  let isFull = false;
  while (!signal.aborted) {
    const news = roomNews(freeBytes(), isFull);
    if (news !== undefined) warned(`${news} on the disk of ${stateDir}`);
    if (news !== undefined) isFull = !isFull;
    await clock.sleep(LOOK_EVERY_MS, signal).catch(() => {});
  }
}

/** Between full and room again there is a distance, or a disk at the limit would be told of all the time. */
function roomNews(freeBytes: bigint, isFull: boolean): string | undefined {
  if (isFull) return freeBytes < NEEDED_BYTES ? undefined : "there is room again";
  if (freeBytes >= LOW_BYTES) return undefined;
  return `nothing new can be kept until somebody makes room: ${mebibytes(freeBytes)} are free`;
}

function freeBytesOf(stateDir: string): bigint {
  const { bavail, bsize } = statfsSync(existingPlace(stateDir), { bigint: true });
  return bavail * bsize;
}

function mebibytes(bytes: bigint): string {
  return `${bytes / MEBIBYTE} MiB`;
}

function existingPlace(path: string): string {
  return existsSync(path) ? path : existingPlace(dirname(path));
}
