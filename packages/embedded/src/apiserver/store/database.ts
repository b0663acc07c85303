import { chmodSync, closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { damaged, isLackOfRoom, storeError } from "./store-errors.ts";

/** Tells our files from those of other programs that use SQLite. Part of the format. */
const applicationId = 0x53_74_6f_77;
/** Raised when what is in the file is laid out differently. */
const format = 2;
/** Another connection holds a lock only while it opens or closes the file. */
const busyTimeoutMs = 10_000;
/** A log that one great write has blown up is cut back to this. */
const logLimitBytes = 16 * 1024 * 1024;
/**
 * When the log is put into the file, by the write that fills it, which waits for the disk twice. It fits into the limit, so that the
 * log is written over and not cut: at SQLite's own 1,000 pages one write in 170 waited, now one in 600 does.
 */
const logPages = 3500;
/** Fewer unused pages than these are not worth the time. */
const leastUnusedPages = 1024;

const schema = `
  CREATE TABLE objects (key TEXT PRIMARY KEY, revision INTEGER NOT NULL, text TEXT NOT NULL, checksum INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL, checksum INTEGER NOT NULL) WITHOUT ROWID;
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${format};
`;

/** The one that is there, or a new one. */
export function openDatabase(path: string): DatabaseSync {
  try {
    if (existsSync(path)) checkReadable(path);
    else createDatabase(path);
    return checkedDatabase(path);
  } catch (error) {
    throw storeError(path, error);
  }
}

/** For reading alone, of a state that a server may be using. */
export function openForReading(path: string): DatabaseSync {
  try {
    checkReadable(path);
    const database = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
    return closedOnError(database, () => checkKind(database, path));
  } catch (error) {
    throw storeError(path, error);
  }
}

/** What the system still holds back of a file is on disk after this. */
export function syncFile(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** The same of a file's name. */
export function syncFolderOf(path: string): void {
  syncFile(dirname(path));
}

/** It gets its name when it is whole: an empty file of that name is one that has lost what was in it. */
function createDatabase(path: string): void {
  if (existsSync(`${path}-wal`)) throw damaged(path, "it is missing, and its log is there");
  const draft = `${path}.new`;
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${draft}${suffix}`, { force: true });
  const database = new DatabaseSync(draft);
  closedOnError(database, () => {
    chmodSync(draft, 0o600);
    database.exec(schema);
  }).close();
  renameSync(draft, path);
  syncFolderOf(path);
}

function checkedDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  return closedOnError(database, () => {
    chmodSync(path, 0o600);
    checkKind(database, path);
    // WAL has one fsync for each commit, and FULL has it before the commit returns.
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
    database.exec(`PRAGMA journal_size_limit = ${logLimitBytes}; PRAGMA wal_autocheckpoint = ${logPages};`);
    const integrity = pragma(database, "integrity_check(1)");
    if (integrity !== "ok") throw damaged(path, String(integrity));
    compact(database);
  });
}

function closedOnError(database: DatabaseSync, work: () => void): DatabaseSync {
  try {
    work();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** SQLite has the same word for all that it cannot open. */
function checkReadable(path: string): void {
  closeSync(openSync(path, "r+"));
}

function checkKind(database: DatabaseSync, path: string): void {
  if (pragma(database, "application_id") !== applicationId) throw damaged(path, "it is no state of a cluster");
  const found = Number(pragma(database, "user_version"));
  if (found !== format) throw damaged(path, `it has format ${found}, and this version reads ${format}`);
}

/** A cluster that was large once must not have a large file for ever. */
function compact(database: DatabaseSync): void {
  const unused = Number(pragma(database, "freelist_count"));
  if (unused < leastUnusedPages || unused * 2 < Number(pragma(database, "page_count"))) return;
  try {
    database.exec("VACUUM");
  } catch (error) {
    // It needs room for a copy. Where there is none, the file stays as it was.
    if (!isLackOfRoom(error)) throw error;
  }
}

function pragma(database: DatabaseSync, name: string): unknown {
  return Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
}
