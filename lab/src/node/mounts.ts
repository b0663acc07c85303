import { mkdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { commandSucceeds, runCommand } from "../process/command.ts";
import type { Progress } from "../progress.ts";

const ATTEMPTS = 10;
const RETRY_MS = 200;

/** Mount points in the order in which they were mounted, from `/proc/self/mountinfo`. */
export function parseMountPoints(mountinfo: string): string[] {
  return mountinfo
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => decodeOctal(line.split(" ")[4] ?? ""));
}

/** Spaces and the like are written as \040. */
function decodeOctal(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}

export function mountPointsBelow(folder: string): string[] {
  const points = parseMountPoints(readFileSync("/proc/self/mountinfo", "utf8"));
  return points.filter((point) => point === folder || point.startsWith(`${folder}/`));
}

/**
 * A folder whose mounts reach the containers that ask for it, and come back from them: a shared mount of its own. Private
 * first, or it would be in one peer group with the mount below it, which would then get each mount a second time.
 */
export async function ensureSharedMount(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  if (mountPointsBelow(folder).includes(folder)) return;
  await runCommand("mount", ["--bind", folder, folder]);
  await runCommand("mount", ["--make-private", folder]);
  await runCommand("mount", ["--make-rshared", folder]);
}

/** Unmounts all that is mounted on the folder or below it, the latest first. */
export async function unmountBelow(folder: string, progress: Progress): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const points = mountPointsBelow(folder).toReversed();
    if (points.length === 0) return;
    for (const point of points) await commandSucceeds("umount", [point]);
    // What is busy becomes free a moment after the processes that used it have ended.
    if (mountPointsBelow(folder).length > 0) await sleep(RETRY_MS);
  }
  for (const point of mountPointsBelow(folder).toReversed()) {
    progress.line(`${point} is busy: it is detached now and goes when nobody uses it any more`);
    await runCommand("umount", ["--lazy", point]);
  }
}
