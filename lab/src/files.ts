import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { hasSystemCode } from "./errors.ts";

const PRIVATE_FILE_MODE = 0o600;
const PRIVATE_FOLDER_MODE = 0o700;

/** A reader sees the old content or the new, never a part; only the owner may read it. */
export function writeFileAtomically(path: string, content: string): void {
  makePrivateFolder(dirname(path));
  const temporary = temporaryName(path);
  writeFileSync(temporary, content, { mode: PRIVATE_FILE_MODE });
  renameSync(temporary, path);
}

export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER_MODE });
}

export function readFileIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (hasSystemCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** A name in the same folder, so that a rename onto the path cannot cross file systems. */
export function temporaryName(path: string): string {
  return `${path}.${process.pid}-${randomBytes(4).toString("hex")}.tmp`;
}

/** The names in a folder; none when there is no such folder. */
export function listFolder(path: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if (hasSystemCode(error, "ENOENT", "ENOTDIR")) return [];
    throw error;
  }
}

/** Removes a folder that nothing is in; one that is in use or gone is left as it is. */
export function removeEmptyFolder(path: string): void {
  try {
    rmdirSync(path);
  } catch (error) {
    if (!hasSystemCode(error, "ENOENT", "ENOTEMPTY", "EBUSY")) throw error;
  }
}
