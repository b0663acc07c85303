import { randomInt } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { StowageError } from "@stowage/machinery";
import type { FilePayload } from "./file-payload.ts";

const dataLink = "..data";
const newDataLink = "..data_tmp";
/** The folders that files are in: the time at which they were written. */
const stamped = /^\.\.\d{4}_\d\d_\d\d_/;
const MOST_STAMPS = 2 ** 32;
const MAXIMUM_NAME = 255;
const MAXIMUM_PATH = 4096;

export interface WritingRules {
  /** Sets owners before anybody sees the files. */
  readonly onWritten?: () => Promise<void>;
  /** What `onWritten` adds to the modes of files: they are not taken for others because of it. */
  readonly addedMode?: number;
}

/**
 * Makes a folder hold these files and no others, all of them from one moment to the next: they are in a folder of their own, and
 * what users see are links through one link, which is replaced. Returns whether anything had to be written.
 */
export async function writeAtomically(
  folder: string,
  payload: FilePayload,
  { onWritten = async () => {}, addedMode = 0 }: WritingRules = {},
): Promise<boolean> {
  const files = new Map([...payload].map(([path, file]) => [checkedPath(path), file]));
  const current = currentFolder(folder);
  const isChanged = current === undefined || !holds(join(folder, current), files, addedMode);
  if (isChanged) {
    removeLeftovers(folder, current);
    const written = writeNew(folder, files);
    await onWritten();
    rmSync(join(folder, newDataLink), { force: true });
    symlinkSync(basename(written), join(folder, newDataLink));
    renameSync(join(folder, newDataLink), join(folder, dataLink));
  }
  linkVisible(folder, files);
  if (isChanged && current !== undefined) rmSync(join(folder, current), { recursive: true, force: true });
  return isChanged;
}

/** Of an attempt that ended in the middle. */
function removeLeftovers(folder: string, current: string | undefined): void {
  for (const name of readdirSync(folder)) {
    const isOurs = stamped.test(name) && name !== current;
    if (isOurs) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function currentFolder(folder: string): string | undefined {
  try {
    return readlinkSync(join(folder, dataLink));
  } catch {
    return undefined; // Nothing has been written yet.
  }
}

function holds(written: string, files: FilePayload, addedMode: number): boolean {
  if (!existsSync(written)) return false;
  const present = readdirSync(written, { recursive: true, withFileTypes: true }).filter(
    (entry) => !entry.isDirectory(),
  );
  if (present.length !== files.size) return false;
  return [...files].every(([path, { bytes, mode }]) => {
    const target = join(written, path);
    const isFile = lstatSync(target, { throwIfNoEntry: false })?.isFile() === true;
    return isFile && (lstatSync(target).mode & 0o777) === (mode | addedMode) && readFileSync(target).equals(bytes);
  });
}

function writeNew(folder: string, files: FilePayload): string {
  const stamp = new Date().toISOString().slice(0, "2006-01-02T15:04:05".length).replaceAll(/[-:T]/g, "_");
  const written = join(folder, `..${stamp}.${randomInt(MOST_STAMPS)}`);
  mkdirSync(written);
  chmodSync(written, 0o755);
  for (const [path, { bytes, mode, owner }] of files) {
    const target = join(written, path);
    mkdirSync(dirname(target), { recursive: true, mode: 0o755 });
    writeFileSync(target, bytes, { mode });
    // Not left to the mask of this process.
    chmodSync(target, mode);
    if (owner !== undefined) chownSync(target, owner, -1);
  }
  return written;
}

/** A link for the first part of each path; those that lead nowhere any more go. */
function linkVisible(folder: string, files: FilePayload): void {
  const wanted = new Set([...files.keys()].map((path) => path.split("/")[0] as string));
  for (const name of wanted) {
    const link = join(folder, name);
    if (lstatSync(link, { throwIfNoEntry: false }) === undefined) symlinkSync(join(dataLink, name), link);
  }
  for (const name of readdirSync(folder)) {
    const isOurs = !name.startsWith("..") && lstatSync(join(folder, name)).isSymbolicLink();
    if (isOurs && !wanted.has(name)) rmSync(join(folder, name));
  }
}

/** Objects name these paths: none may lead out of the volume or to what is ours in it. */
function checkedPath(path: string): string {
  const parts = path.split("/");
  const problem =
    (path === "" && "must not be empty") ||
    (path.startsWith("/") && "must be relative path") ||
    (path.length > MAXIMUM_PATH && `must be less than or equal to ${MAXIMUM_PATH} characters`) ||
    (parts.includes("..") && "must not contain '..'") ||
    (parts.some((part) => part.length > MAXIMUM_NAME) &&
      `filenames must be less than or equal to ${MAXIMUM_NAME} characters`) ||
    (path.startsWith("..") && "must not start with '..'");
  if (problem !== false) throw new StowageError("VOLUME_SOURCE_MISSING", `invalid path: ${problem}: ${path}`);
  return normalize(path);
}
