import { StowageError } from "@stowage/machinery";

const full = 13;
/** SQLite's own numbers: malformed, no database, and reads that failed or ended too early. */
const damageNumbers: ReadonlySet<number> = new Set([11, 26, 266, 522, 8202, 8458]);
const damageCodes: ReadonlySet<unknown> = new Set(["EISDIR", "EIO"]);

/** What is in the file cannot be relied on. */
export function damaged(path: string, why: string, cause?: unknown): StowageError {
  return new StowageError("STORE_DAMAGED", `the state of the cluster in ${path} is damaged: ${why}`, { cause });
}

/** What goes wrong with a file that is opened or read, by what has to be done about it. */
export function storeError(path: string, error: unknown): unknown {
  if (error instanceof StowageError) return error;
  const why = reasonOf(error);
  if (isDamage(error)) return damaged(path, why, error);
  return new StowageError("STORE_UNUSABLE", `the state of the cluster in ${path} cannot be used: ${why}`, {
    cause: error,
  });
}

/** The client sees the words, so they name no path. */
export function notWritten(error: unknown): StowageError {
  const message = `the change could not be written to disk: ${reasonOf(error)}`;
  return new StowageError("STORE_NOT_WRITTEN", message, { cause: error });
}

export function isLackOfRoom(error: unknown): boolean {
  return sqliteNumberOf(error) === full;
}

function isDamage(error: unknown): boolean {
  const number = sqliteNumberOf(error);
  if (number !== undefined) return damageNumbers.has(number) || damageNumbers.has(number & 0xff);
  return error instanceof Error && "code" in error && damageCodes.has(error.code);
}

function sqliteNumberOf(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error ? Number(error.errcode) : undefined;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
