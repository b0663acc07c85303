import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { FaultPoint } from "../fault-points.ts";

/** What a file is called until it is whole; found at a start, it is left over from a crash. */
export const temporarySuffix = ".tmp";

/** After this the file has the text, whatever happens to the machine; before, it has what it had. */
export async function writeDurably(path: string, text: string, faultPoint: FaultPoint): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString("hex")}${temporarySuffix}`;
  try {
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await faultPoint("file:temporary-written");
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw namedAs(path, temporary, error);
  }
  await faultPoint("file:renamed");
  await syncDirectory(dirname(path));
}

/** The failure under the name that stays: one that is told in other words at each try would be another event each time. */
export function namedAs(path: string, temporary: string, error: unknown): unknown {
  if (error instanceof Error) error.message = error.message.replaceAll(temporary, path);
  return error;
}

export async function removeDurably(path: string, faultPoint: FaultPoint): Promise<void> {
  await rm(path, { force: true, recursive: true });
  await faultPoint("file:removed");
  await syncDirectory(dirname(path));
}

export async function moveDurably(from: string, to: string, faultPoint: FaultPoint): Promise<void> {
  await rename(from, to);
  await faultPoint("file:moved");
  await syncDirectory(dirname(to));
  if (dirname(from) !== dirname(to)) await syncDirectory(dirname(from));
}

export async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

const syncDirectory = syncFile;
