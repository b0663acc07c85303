import type { DatabaseSync, StatementSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import type { Change } from "./change-log.ts";
import { openDatabase } from "./database.ts";
import type { StoredObject } from "./object-table.ts";
import { damaged, notWritten, storeError } from "./store-errors.ts";

/** The state on disk: what is now, and the last revision. Every write is there when `write` returns. */
export class StoreFile implements Disposable {
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #put: StatementSync;
  readonly #remove: StatementSync;
  readonly #setFact: StatementSync;

  constructor(path: string) {
    this.#path = path;
    this.#database = openDatabase(path);
    this.#put = this.#database.prepare(
      "INSERT OR REPLACE INTO objects (key, revision, text, checksum) VALUES (?, ?, ?, ?)",
    );
    this.#remove = this.#database.prepare("DELETE FROM objects WHERE key = ?");
    this.#setFact = this.#database.prepare("INSERT OR REPLACE INTO facts (name, value, checksum) VALUES (?, ?, ?)");
  }

  /** The revision of the last change, also when what it changed has gone since. */
  get revision(): number {
    const row = this.#database.prepare("SELECT value, checksum FROM facts WHERE name = 'revision'").get();
    if (row === undefined) return 0;
    const value = Number(row["value"]);
    if (row["checksum"] !== factChecksum("revision", value)) throw damaged(this.#path, "its revision has been altered");
    return value;
  }

  /** Throws when one of them is not what was written: SQLite looks after its pages, and not at what is in them. */
  *objects(): Generator<StoredObject> {
    try {
      const rows = this.#database.prepare("SELECT key, revision, text, checksum FROM objects ORDER BY key").iterate();
      for (const { key, revision, text, checksum } of rows) {
        const object = { key: String(key), revision: Number(revision), text: String(text) };
        if (checksum !== objectChecksum(object)) throw damaged(this.#path, `${object.key} has been altered`);
        yield object;
      }
    } catch (error) {
      throw storeError(this.#path, error);
    }
  }

  /** All of them or none. */
  write(changes: readonly Change[], revision: number): void {
    try {
      this.#database.exec("BEGIN IMMEDIATE");
      for (const { key, text, revision: own } of changes) {
        if (text === undefined) this.#remove.run(key);
        else this.#put.run(key, own, text, objectChecksum({ key, revision: own, text }));
      }
      this.#setFact.run("revision", revision, factChecksum("revision", revision));
      this.#database.exec("COMMIT");
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw notWritten(error);
    }
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

function objectChecksum({ key, revision, text }: StoredObject): number {
  return crc32(text, crc32(`${key} ${revision}`));
}

function factChecksum(name: string, value: number): number {
  return crc32(`${name} ${value}`);
}
