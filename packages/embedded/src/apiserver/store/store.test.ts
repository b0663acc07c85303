import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Change } from "./change-log.ts";
import { createStore, type Store } from "./store.ts";

const put = (store: Store, key: string, text = "{}") => store.transact((transaction) => transaction.put(key, text));
const remove = (store: Store, key: string) => store.transact((transaction) => transaction.delete(key));
const keys = (store: Store, prefix: string, options = {}) => store.list(prefix, options)?.objects.map(({ key }) => key);
const words = ({ revision, key, text, previous }: Change) =>
  `${revision} ${key} ${previous?.text ?? "-"}→${text ?? "-"}`;

describe("a store", () => {
  it("lists by prefix in the order of keys, page by page, and says how many are left", async () => {
    using store = createStore();
    await Promise.all(["/pods/b/1", "/pods/a/2", "/pods/a/1", "/podsets/x", "/nodes/n"].map((key) => put(store, key)));
    expect(keys(store, "/pods/")).toEqual(["/pods/a/1", "/pods/a/2", "/pods/b/1"]);
    expect(keys(store, "/pods/a/")).toEqual(["/pods/a/1", "/pods/a/2"]);
    const first = store.list("/pods/", { limit: 2 });
    expect(first?.remaining).toBe(1);
    const second = store.list("/pods/", { limit: 2, after: first?.objects.at(-1)?.key });
    expect(second).toEqual({ objects: [expect.objectContaining({ key: "/pods/b/1" })], remaining: undefined });
  });

  it("gives every change a revision of its own, however many share a commit", async () => {
    using store = createStore();
    const before = store.revision;
    const revisions = await Promise.all(
      [1, 2, 3].map((n) =>
        store.transact((transaction) => {
          transaction.put(`/k/${n}`, "{}");
          return transaction.revision;
        }),
      ),
    );
    expect(revisions).toEqual([before + 1, before + 2, before + 3]);
    expect(store.revision).toBe(before + 3);
    expect(store.get("/k/2")?.revision).toBe(before + 2);
  });

  it("lets a transaction see those before it, and leaves nothing of one that fails", async () => {
    using store = createStore();
    const count = () =>
      store.transact((transaction) => {
        const next = Number(transaction.get("/n")?.text ?? 0) + 1;
        transaction.put("/n", String(next));
        if (next === 3) throw new Error("no more");
        return next;
      });
    const outcomes = await Promise.allSettled([count(), count(), count(), count()]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "rejected"]);
    expect(store.get("/n")?.text).toBe("2");
  });

  it("lets a transaction make several changes one after the other, which are kept together", async () => {
    using store = createStore();
    const before = store.revision;
    const seen: [string, number][] = [];
    store.watch(before, (changes) =>
      seen.push(...changes.map(({ key, revision }): [string, number] => [key, revision])),
    );
    await store.transact((transaction) => {
      transaction.put("/k/first", "{}");
      transaction.advance();
      transaction.put("/k/second", "{}");
    });
    expect(seen).toEqual([
      ["/k/first", before + 1],
      ["/k/second", before + 2],
    ]);
    expect(store.revision).toBe(before + 2);
  });

  it("does not move on when nothing changed", async () => {
    using store = createStore();
    const before = store.revision;
    await remove(store, "/nothing");
    await store.transact((transaction) => transaction.get("/nothing"));
    expect(store.revision).toBe(before);
  });

  it("goes on with a list as it was when the list began", async () => {
    using store = createStore();
    for (const name of ["a", "b", "c"]) await put(store, `/k/${name}`, name);
    const { revision } = store;
    await remove(store, "/k/b");
    await put(store, "/k/c", "changed");
    await put(store, "/k/d", "new");
    const page = store.list("/k/", { revision, after: "/k/a" });
    expect(page?.objects.map(({ text }) => text)).toEqual(["b", "c"]);
    expect(keys(store, "/k/")).toEqual(["/k/a", "/k/c", "/k/d"]);
  });
});

describe("a watch", () => {
  it("tells what was missed first, then what comes, each with what was there before", async () => {
    using store = createStore();
    const from = store.revision;
    await put(store, "/k", "1");
    const seen: string[] = [];
    using _watch = store.watch(from, (changes) => void seen.push(...changes.map(words)));
    await put(store, "/k", "2");
    await remove(store, "/k");
    expect(seen).toEqual([`${from + 1} /k -→1`, `${from + 2} /k 1→2`, `${from + 3} /k 2→-`]);
  });

  it("is told before whoever made the change, and not after it has ended", async () => {
    using store = createStore();
    const order: string[] = [];
    const watch = store.watch(store.revision, () => void order.push("watcher"));
    await put(store, "/k").then(() => order.push("writer"));
    watch?.[Symbol.dispose]();
    await put(store, "/k", "2");
    expect(order).toEqual(["watcher", "writer"]);
  });

  it("cannot begin before what is remembered, by number or by size", async () => {
    using few = createStore({ log: { maximumChanges: 2, maximumCharacters: 1e6 } });
    using small = createStore({ log: { maximumChanges: 1e6, maximumCharacters: 20 } });
    for (const store of [few, small]) {
      const from = store.revision;
      for (let n = 0; n < 5; n++) await put(store, `/k/${n}`, "12345678");
      expect(store.watch(from, () => {})).toBeUndefined();
      expect(store.list("/k/", { revision: from })).toBeUndefined();
      using watch = store.watch(store.compactedRevision, () => {});
      expect(watch).toBeDefined();
    }
  });
});

describe("a store with a file", () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "store-"));
    path = join(folder, "state.db");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("has everything again, and goes on counting, also after the last object is gone", async () => {
    let revision: number;
    {
      using store = createStore({ path });
      await put(store, "/k/a", '{"ä":"☃"}');
      await put(store, "/k/b");
      await remove(store, "/k/b");
      revision = store.revision;
    }
    using again = createStore({ path });
    expect(again.revision).toBe(revision);
    expect(keys(again, "/")).toEqual(["/k/a"]);
    expect(again.get("/k/a")?.text).toBe('{"ä":"☃"}');
    expect(again.watch(revision - 1, () => {})).toBeUndefined();
  });

  it("is readable by its owner alone", () => {
    using _store = createStore({ path });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});
