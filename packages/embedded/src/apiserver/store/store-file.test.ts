import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type ErrorCode, StowageError } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { continueFrom, saveDatabase } from "./saved-state.ts";
import { createStore, type Store } from "./store.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "store-file-"));
  path = join(folder, "state.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(store: Store, key: string, text: string): Promise<void> {
  return store.transact((transaction) => transaction.put(key, text));
}

async function written(count: number): Promise<void> {
  using store = createStore({ path });
  const texts = Array.from({ length: count }, (_, n) =>
    put(store, `/k/${n}`, `{"n":${n},"long":"${"x".repeat(500)}"}`),
  );
  await Promise.all(texts);
}

/** The code that opening it is refused with, and the words. */
function refusal(): { code: ErrorCode; message: string } | undefined {
  try {
    using _store = createStore({ path });
    return undefined;
  } catch (error) {
    if (!(error instanceof StowageError)) throw error;
    return { code: error.code, message: error.message };
  }
}

describe("a file of a store is refused as damaged", () => {
  const damaged = () => ({ code: "STORE_DAMAGED", message: expect.stringContaining(path) });

  it("when a byte of an object was flipped, which SQLite does not see", async () => {
    await written(100);
    const bytes = readFileSync(path);
    const place = bytes.indexOf('{"n":50,') + 5;
    bytes[place] = (bytes[place] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    expect(refusal()).toEqual(damaged());
    expect(refusal()?.message).toContain("/k/50");
  });

  it("when its pages were overwritten", async () => {
    await written(100);
    writeFileSync(path, readFileSync(path).fill(0xa5, 4096 * 3, 4096 * 5));
    expect(refusal()).toEqual(damaged());
  });

  it("when the end is missing, and when nothing is left", async () => {
    await written(100);
    truncateSync(path, 5000);
    expect(refusal()).toEqual(damaged());
    truncateSync(path, 0);
    expect(refusal()).toEqual(damaged());
  });

  it("when it is a text, a directory, or the database of another program", () => {
    writeFileSync(path, "not a database at all, but long enough to be looked at as one".repeat(100));
    expect(refusal()).toEqual(damaged());
    rmSync(path);
    mkdirSync(path);
    expect(refusal()).toEqual(damaged());
    rmSync(path, { recursive: true });
    using other = new DatabaseSync(path);
    other.exec("CREATE TABLE objects (key TEXT PRIMARY KEY)");
    expect(refusal()).toEqual(damaged());
  });

  it("when it was written by another version", async () => {
    await written(1);
    using later = new DatabaseSync(path);
    later.exec("PRAGMA user_version = 99");
    expect(refusal()?.message).toContain("format 99");
  });

  it("when it is missing and its log is there", async () => {
    await written(1);
    rmSync(path);
    writeFileSync(`${path}-wal`, "");
    expect(refusal()).toEqual(damaged());
  });
});

describe("a file of a store", () => {
  it("takes any text that JSON can be", async () => {
    const texts = ['{"a":"\\u0000\\ud800"}', '{"ä":"☃𝄞"}', '"\u0000\ud800"', ""];
    {
      using store = createStore({ path });
      for (const [index, text] of texts.entries()) await put(store, `/k/${index}`, text);
    }
    using again = createStore({ path });
    expect(texts.map((_, index) => again.get(`/k/${index}`)?.text)).toEqual(texts.map((text) => text.toWellFormed()));
  });

  it("does not grow by updates, however many there are", async () => {
    using store = createStore({ path });
    const text = "x".repeat(2000);
    for (let round = 0; round < 200; round++) {
      await Promise.all(Array.from({ length: 100 }, (_, n) => put(store, "/k", `${round} ${n} ${text}`)));
    }
    const sizes = [path, `${path}-wal`].map((file) => statSync(file).size);
    expect(store.revision).toBeGreaterThanOrEqual(20_000);
    expect(sizes[0]).toBeLessThan(1024 * 1024);
    expect(sizes[1]).toBeLessThan(17 * 1024 * 1024);
  });

  it("is small again after a restart when most of it is gone", async () => {
    await written(10_000);
    const before = statSync(path).size;
    {
      using store = createStore({ path });
      await store.transact((transaction) => {
        for (let n = 1; n < 10_000; n++) transaction.delete(`/k/${n}`);
      });
    }
    createStore({ path })[Symbol.dispose]();
    expect(statSync(path).size).toBeLessThan(before / 100);
    using again = createStore({ path });
    expect(again.size).toBe(1);
  });

  it("can be saved while it is in use, for its owner alone, and the copy can be made to go on further", async () => {
    using store = createStore({ path });
    await put(store, "/k", "{}");
    const { revision } = store;
    const copyPath = join(folder, "copy.db");
    saveDatabase(path, copyPath);
    await put(store, "/later", "{}");
    expect(statSync(copyPath).mode & 0o777).toBe(0o600);
    expect(continueFrom(copyPath)).toBe(revision);
    expect(continueFrom(copyPath, 1000)).toBe(1000);
    using copy = createStore({ path: copyPath });
    expect([copy.revision, copy.size]).toEqual([1000, 1]);
  });
});
