import { chmodSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { StowageError } from "@stowage/machinery";
import type { Change } from "./change-log.ts";
import type { StoredObject } from "./object-table.ts";

/** Raised when what is in the file is laid out differently. */
const FORMAT = 1;

const schema = `
  CREATE TABLE IF NOT EXISTS objects (key TEXT PRIMARY KEY, revision INTEGER NOT NULL, text TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
`;

/** The state on disk: what is now, and the last revision. Every write is there when `write` returns. */
export class StoreFile implements Disposable {
  readonly #database: DatabaseSync;
  readonly #put: StatementSync;
  readonly #remove: StatementSync;
  readonly #setRevision: StatementSync;

  constructor(path: string) {
    try {
      this.#database = new DatabaseSync(path);
      chmodSync(path, 0o600);
      // WAL has one fsync for each commit, and FULL has it before the commit returns.
      this.#database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
      this.#database.exec(schema);
      checkFormat(this.#database, path);
      this.#put = this.#database.prepare("INSERT OR REPLACE INTO objects (key, revision, text) VALUES (?, ?, ?)");
      this.#remove = this.#database.prepare("DELETE FROM objects WHERE key = ?");
      this.#setRevision = this.#database.prepare("INSERT OR REPLACE INTO facts (name, value) VALUES ('revision', ?)");
    } catch (error) {
      throw unusable(path, error);
    }
  }

  /** The revision of the last change, also when what it changed has gone since. */
  get revision(): number {
    return factOf(this.#database, "revision") ?? 0;
  }

  *objects(): Generator<StoredObject> {
    for (const row of this.#database.prepare("SELECT key, revision, text FROM objects ORDER BY key").iterate()) {
      const { key, revision, text } = row;
      yield { key: String(key), revision: Number(revision), text: String(text) };
    }
  }

  /** All of them or none. */
  write(changes: readonly Change[], revision: number): void {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      for (const change of changes) {
        if (change.text === undefined) this.#remove.run(change.key);
        else this.#put.run(change.key, change.revision, change.text);
      }
      this.#setRevision.run(revision);
      this.#database.exec("COMMIT");
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  /** A whole copy, taken while the store goes on. */
  saveTo(path: string): void {
    this.#database.prepare("VACUUM INTO ?").run(path);
    chmodSync(path, 0o600);
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

function factOf(database: DatabaseSync, name: string): number | undefined {
  const row = database.prepare("SELECT value FROM facts WHERE name = ?").get(name);
  return row === undefined ? undefined : Number(row.value);
}

function checkFormat(database: DatabaseSync, path: string): void {
  const format = factOf(database, "format");
  if (format === undefined) database.prepare("INSERT INTO facts (name, value) VALUES ('format', ?)").run(FORMAT);
  else if (format !== FORMAT) {
    throw new StowageError("STORE_UNUSABLE", `${path} has format ${format}, and this version reads ${FORMAT}`);
  }
  const { integrity_check: integrity } = database.prepare("PRAGMA integrity_check(1)").get() ?? {};
  if (integrity !== "ok") throw new StowageError("STORE_UNUSABLE", `${path} is damaged: ${String(integrity)}`);
}

function unusable(path: string, error: unknown): unknown {
  if (error instanceof StowageError) return error;
  const why = error instanceof Error ? error.message : String(error);
  return new StowageError("STORE_UNUSABLE", `the state of the cluster in ${path} cannot be used: ${why}`, {
    cause: error,
  });
}
