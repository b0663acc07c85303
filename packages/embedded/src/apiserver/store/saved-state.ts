import { chmodSync } from "node:fs";
import { openForReading, syncFile } from "./database.ts";
import { storeError } from "./store-errors.ts";
import { StoreFile } from "./store-file.ts";

/** A whole copy of what is durable now, also of a store that is in use. There must be no file at `copy` yet. */
export function saveDatabase(path: string, copy: string): void {
  const database = openForReading(path);
  try {
    database.prepare("VACUUM INTO ?").run(copy);
    chmodSync(copy, 0o600);
  } catch (error) {
    throw storeError(path, error);
  } finally {
    database.close();
  }
  syncFile(copy);
}

/**
 * Reads all of a file that nobody uses, and leaves it without a log. Its revision is then what it was or `atLeast`, whichever is
 * greater, and is returned.
 */
export function continueFrom(path: string, atLeast = 0): number {
  using file = new StoreFile(path);
  for (const _ of file.objects());
  const revision = Math.max(file.revision, atLeast);
  if (revision > file.revision) file.write([], revision);
  return revision;
}
