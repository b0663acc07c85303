import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { hasErrorCode, StowageError } from "@stowage/machinery";
import { continueFrom, createStore, type Store, saveDatabase, syncFile, syncFolderOf } from "../store/index.ts";
import { DataFolder, statePathOf } from "./data-folder.ts";

/** What SQLite keeps beside a database. They belong to it: another one would be ruined by them. */
const companions = ["", "-wal", "-shm"];
/** How far versions leap when nobody can say how far the lost state had come; further than a cluster of one machine comes. */
const leap = 1_000_000_000;

export interface RestoredState {
  /** That the cluster goes on from. */
  readonly revision: number;
  /** Where the state is that was there before; undefined when there was none. */
  readonly keptAs: string | undefined;
}

/**
 * The store in the folder. A damaged one is set aside and refused, and so is every start after that, until somebody has said what is
 * to become of it: a cluster must not be empty all of a sudden.
 */
export function openState({ path: dataDir }: DataFolder, nowMs: number): Store {
  const path = statePathOf(dataDir);
  const left = existsSync(path) ? undefined : damagedIn(dataDir).at(-1);
  if (left !== undefined) throw damagedState(dataDir, left);
  try {
    return createStore({ path });
  } catch (error) {
    if (!hasErrorCode(error, "STORE_DAMAGED")) throw error;
    throw damagedState(dataDir, moveAside(path, "damaged", nowMs), error);
  }
}

/** Writes a copy to a file that is not there yet, also while a server uses the directory. */
export function saveState(dataDir: string, file: string): void {
  const path = statePathOf(dataDir);
  if (!existsSync(path)) throw new StowageError("STORE_UNUSABLE", `there is no state of a cluster in ${dataDir}`);
  if (existsSync(file)) throw new StowageError("STATE_FILE_UNUSABLE", `${file} is there already, and is left as it is`);
  const draft = `${file}.unfinished`;
  try {
    mkdirSync(dirname(resolve(file)), { recursive: true });
    remove(draft);
    saveDatabase(path, draft);
    // What cannot be restored is worth nothing, and better known now.
    continueFrom(draft);
    renameSync(draft, file);
    syncFolderOf(resolve(file));
  } catch (error) {
    throw new StowageError("STATE_FILE_UNUSABLE", `the state in ${dataDir} cannot be saved to ${file}`, {
      cause: error,
    });
  } finally {
    remove(draft);
  }
}

/** Puts a saved state in the place of the one that is there, which is kept. Versions go on after the greater of both. */
export function restoreState(dataDir: string, file: string, nowMs: number): RestoredState {
  using folder = new DataFolder(dataDir);
  const path = statePathOf(folder.path);
  const draft = `${path}.restoring`;
  try {
    const saved = copiedState(file, draft);
    const { keptAs, revision: before } = keptState(folder.path, nowMs);
    const revision = continueFrom(draft, Math.max(saved, before ?? saved + leap) + 1);
    // At once, so that there is a whole state at every moment.
    renameSync(draft, path);
    syncFolderOf(path);
    return { revision, keptAs };
  } finally {
    remove(draft);
  }
}

/** Sets all states aside, so that the next start begins with an empty cluster. Tells what they are called now. */
export function discardState(dataDir: string, nowMs: number): readonly string[] {
  using folder = new DataFolder(dataDir);
  const path = statePathOf(folder.path);
  const states = [...(existsSync(path) ? [path] : []), ...damagedIn(folder.path)];
  return states.map((state) => moveAside(state, "discarded", nowMs));
}

/** Its revision, when it is a state and whole. */
function copiedState(file: string, draft: string): number {
  try {
    remove(draft);
    copyFileSync(file, draft);
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${draft}-wal`);
    const revision = continueFrom(draft);
    syncFile(draft);
    return revision;
  } catch (error) {
    throw new StowageError("STATE_FILE_UNUSABLE", `${file} is no saved state that can be restored`, { cause: error });
  }
}

/** The state that was there, which stays in its place under a second name. Without a revision when nobody can say it. */
function keptState(dataDir: string, nowMs: number): { keptAs?: string; revision?: number } {
  const path = statePathOf(dataDir);
  if (!existsSync(path)) {
    const left = damagedIn(dataDir).at(-1);
    return left === undefined ? { revision: 0 } : { keptAs: left };
  }
  try {
    // Reading it ends its log, which must not meet the next state.
    const revision = continueFrom(path);
    const keptAs = freeName(path, "replaced", nowMs);
    linkSync(path, keptAs);
    return { revision, keptAs };
  } catch (error) {
    if (!hasErrorCode(error, "STORE_DAMAGED")) throw error;
    return { keptAs: moveAside(path, "damaged", nowMs) };
  }
}

function damagedState(dataDir: string, file: string, cause?: StowageError): StowageError {
  const message = `the state of the cluster in ${dataDir} is damaged, and is kept as ${file}`;
  const nextStep =
    `Put a saved state in its place with \`stowage state restore FILE --data-dir ${dataDir}\`, ` +
    `or begin with an empty cluster by \`stowage state discard --data-dir ${dataDir}\`.`;
  return new StowageError("STORE_DAMAGED", message, { cause, nextStep });
}

/** Oldest first. */
function damagedIn(dataDir: string): string[] {
  const prefix = `${basename(statePathOf(dataDir))}.damaged-`;
  const names = readdirSync(dataDir).filter((name) => name.startsWith(prefix) && !/-(?:wal|shm)$/.test(name));
  return names.sort().map((name) => join(dataDir, name));
}

function moveAside(path: string, why: "damaged" | "discarded", nowMs: number): string {
  const aside = freeName(path.replace(/\.damaged-[^/]*$/, ""), why, nowMs);
  for (const suffix of companions) {
    if (existsSync(`${path}${suffix}`)) renameSync(`${path}${suffix}`, `${aside}${suffix}`);
  }
  syncFolderOf(path);
  return aside;
}

/** Says why and when, and is nobody's yet. */
function freeName(path: string, why: string, nowMs: number): string {
  const time = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const name = `${path}.${why}-${time}`;
  let free = name;
  for (let count = 2; existsSync(free) || existsSync(`${free}-wal`); count++) free = `${name}.${count}`;
  return free;
}

function remove(path: string): void {
  for (const suffix of companions) rmSync(`${path}${suffix}`, { force: true });
}
