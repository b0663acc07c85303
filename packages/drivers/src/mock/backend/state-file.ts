import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fromJson, toJson } from "./big-json.ts";

/** Nothing when there is no file yet. What is in it was written by `writeStateFile`. */
export function readStateFile(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    return fromJson(text);
  } catch (cause) {
    throw new Error(`${path} does not hold the state of a mock driver; remove it to start afresh`, { cause });
  }
}

/** A reader, and whoever comes after a crash, sees the old content or the new, never a part. */
export function writeStateFile(path: string, state: object): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.tmp`;
  const file = openSync(temporary, "w", 0o600);
  try {
    writeFileSync(file, toJson(state));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}
