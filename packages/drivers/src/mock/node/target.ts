import { mkdirSync, writeFileSync } from "node:fs";
import { rm, rmdir, stat, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { CsiError } from "@stowage/csi";
import type { AccessType } from "../backend/volume.ts";

/**
 * Nothing is mounted: a folder stands for a file system and a file for a device, so that no privileges are needed. Made within the call:
 * elsewhere in this process the umask may be another for a moment, while a socket is made.
 */
export function makeTarget(path: string, accessType: AccessType): void {
  if (accessType === "mount") {
    mkdirSync(path, { recursive: true });
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "", { flag: "a" });
}

/** The folder that this driver made goes with all that the workload left in it. */
export async function removeOwnTarget(path: string): Promise<void> {
  if (await isMountPoint(path))
    throw new CsiError("FAILED_PRECONDITION", `${path} is not empty: something else is mounted there`);
  await rm(path, { recursive: true, force: true });
}

/** What is not known to be this driver's goes only when nothing is in it. */
export async function removeUnknownTarget(path: string): Promise<void> {
  const found = await statIfPresent(path);
  if (found === undefined) return;
  await (found.isDirectory() ? rmdir(path) : unlink(path));
}

async function isMountPoint(path: string): Promise<boolean> {
  const [found, parent] = [await statIfPresent(path), await statIfPresent(dirname(path))];
  return found !== undefined && found.dev !== parent?.dev;
}

async function statIfPresent(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}
