import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StowageError } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createStore } from "../store/index.ts";
import { DataFolder, statePathOf } from "./data-folder.ts";
import { discardState, openState, restoreState, saveState } from "./state-files.ts";

const nowMs = Date.UTC(2026, 6, 1, 12, 30, 5);
const time = "20260701T123005Z";
let dataDir: string;
let saved: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "state-files-"));
  saved = join(dataDir, "elsewhere", "saved.db");
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** Has the server's store at work. Answers its revision at the end. */
async function put(...keys: string[]): Promise<number> {
  using folder = new DataFolder(dataDir);
  using store = openState(folder, nowMs);
  for (const key of keys) await store.transact((transaction) => transaction.put(key, "{}"));
  return store.revision;
}

function keysNow(): string[] {
  using folder = new DataFolder(dataDir);
  using store = openState(folder, nowMs);
  return store.list("/")?.objects.map(({ key }) => key) ?? [];
}

function ruin(): void {
  writeFileSync(statePathOf(dataDir), readFileSync(statePathOf(dataDir)).fill(7, 4096));
}

function refusal(work: () => unknown): StowageError {
  try {
    work();
  } catch (error) {
    if (error instanceof StowageError) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

describe("a saved state", () => {
  it("is taken while a server runs, and comes back in the place of the present one, which is kept", async () => {
    const atSave = await put("/a");
    {
      using folder = new DataFolder(dataDir);
      using store = openState(folder, nowMs);
      await store.transact((transaction) => transaction.put("/b", "{}"));
      saveState(dataDir, saved);
      await store.transact((transaction) => transaction.put("/c", "{}"));
      expect(refusal(() => restoreState(dataDir, saved, nowMs)).code).toBe("STORE_IN_USE");
    }
    const before = await put("/d");
    expect(before).toBe(atSave + 3);
    const keptAs = `${statePathOf(dataDir)}.replaced-${time}`;
    expect(restoreState(dataDir, saved, nowMs)).toEqual({ revision: before + 1, keptAs });
    expect(keysNow()).toEqual(["/a", "/b"]);
    expect(await put()).toBe(before + 1);
    using kept = createStore({ path: keptAs });
    expect(kept.size).toBe(4);
    expect(readdirSync(dataDir).filter((name) => /restoring|unfinished/.test(name))).toEqual([]);
  });

  it("can be restored to a new directory, and goes on after itself", async () => {
    const revision = await put("/a");
    saveState(dataDir, saved);
    const before = dataDir;
    dataDir = join(before, "new");
    expect(restoreState(dataDir, saved, nowMs)).toEqual({ revision: revision + 1, keptAs: undefined });
    expect(keysNow()).toEqual(["/a"]);
    dataDir = before;
  });

  it("is not written over another file, and not made of nothing", async () => {
    expect(refusal(() => saveState(dataDir, saved)).code).toBe("STORE_UNUSABLE");
    await put("/a");
    saveState(dataDir, saved);
    expect(refusal(() => saveState(dataDir, saved)).code).toBe("STATE_FILE_UNUSABLE");
  });

  it("is looked at before anything is touched", async () => {
    await put("/a");
    const other = join(dataDir, "other");
    writeFileSync(other, "no state".repeat(1000));
    for (const file of [other, join(dataDir, "missing")]) {
      const error = refusal(() => restoreState(dataDir, file, nowMs));
      expect([error.code, error.message]).toEqual(["STATE_FILE_UNUSABLE", expect.stringContaining(file)]);
    }
    expect(keysNow()).toEqual(["/a"]);
    expect(readdirSync(dataDir).filter((name) => name.startsWith("state.db."))).toEqual([]);
  });
});

describe("a damaged state", () => {
  const aside = () => `${statePathOf(dataDir)}.damaged-${time}`;

  it("is set aside, and no start begins anew until somebody says so", async () => {
    await put("/a");
    ruin();
    for (let start = 0; start < 3; start++) {
      const { code, message, nextStep } = refusal(keysNow);
      expect([code, message]).toEqual(["STORE_DAMAGED", expect.stringContaining(aside())]);
      expect(nextStep).toContain(`stowage state restore FILE --data-dir ${dataDir}`);
      expect(nextStep).toContain(`stowage state discard --data-dir ${dataDir}`);
    }
    expect(existsSync(statePathOf(dataDir))).toBe(false);
    const discarded = `${statePathOf(dataDir)}.discarded-${time}`;
    expect(discardState(dataDir, nowMs)).toEqual([discarded]);
    expect(keysNow()).toEqual([]);
    expect(existsSync(discarded)).toBe(true);
  });

  it("gives way to a saved one, whose versions then leap over all that the lost one may have had", async () => {
    const revision = await put("/a");
    saveState(dataDir, saved);
    await put("/b");
    ruin();
    refusal(keysNow);
    expect(restoreState(dataDir, saved, nowMs)).toEqual({ revision: revision + 1e9 + 1, keptAs: aside() });
    expect(keysNow()).toEqual(["/a"]);
  });

  it("is also found by the restore itself", async () => {
    await put("/a");
    saveState(dataDir, saved);
    ruin();
    expect(restoreState(dataDir, saved, nowMs).keptAs).toBe(aside());
    expect(keysNow()).toEqual(["/a"]);
  });

  it("does not take the name of another one", async () => {
    await put("/a");
    saveState(dataDir, saved);
    for (const name of ["", ".2", ".3"]) {
      ruin();
      expect(refusal(keysNow).message).toMatch(new RegExp(`-${time}${name}$`));
      restoreState(dataDir, saved, nowMs);
    }
  });
});

it("a directory that cannot be one is refused by its name", () => {
  const file = join(dataDir, "file");
  writeFileSync(file, "");
  expect(refusal(() => new DataFolder(join(file, "data")))).toMatchObject({
    code: "STORE_UNUSABLE",
    message: expect.stringContaining(file),
  });
});
