import { ApiStatusError, type KubeClient } from "@stowage/kube";
import { configMaps, StowageError, silentLogger, systemClock } from "@stowage/machinery";
import { ManualClock, settled } from "@stowage/machinery/testing";
import { describe, expect, it } from "vitest";
import { MemoryCluster } from "../fixtures/memory-cluster.ts";
import { decodeIntent, encodeIntent, type Intent } from "./intent.ts";
import { IntentBook } from "./intent-book.ts";
import { IntentJournal } from "./intent-journal.ts";

const place = { namespace: "default", name: "journal", idleMs: 30_000 };

/** A journal on an API server whose writes can be held up and made to fail. */
function journalOn(cluster = new MemoryCluster(async () => {}), limitBytes?: number) {
  const writes: string[] = [];
  const state: { failure?: unknown; hold?: Promise<void> } = {};
  const real = cluster.client({ isDead: false });
  const guarded =
    (verb: "create" | "patch") =>
    async (...all: unknown[]) => {
      writes.push(verb);
      await state.hold;
      if (state.failure !== undefined) throw state.failure;
      return await (real[verb] as (...rest: unknown[]) => Promise<unknown>)(...all);
    };
  const client = { ...real, create: guarded("create"), patch: guarded("patch") } as unknown as KubeClient;
  const clock = new ManualClock();
  const settings = limitBytes === undefined ? place : { ...place, limitBytes };
  const journal = new IntentJournal({ client, clock, logger: silentLogger }, settings);
  const stored = () => cluster.get(configMaps, place)?.data ?? {};
  return { journal, cluster, clock, writes, state, stored };
}

describe("the journal", () => {
  it("has an entry as soon as it says so", async () => {
    const { journal, stored } = journalOn();
    await journal.put("a", "1");
    expect(stored()).toEqual({ a: "1" });
  });

  it("writes together what comes while it is writing", async () => {
    const { journal, writes, state, stored } = journalOn();
    const held = Promise.withResolvers<void>();
    state.hold = held.promise;
    const keys = Array.from({ length: 50 }, (_, index) => `k${index}`);
    const first = journal.put("first", "1");
    await expect.poll(() => writes).toEqual(["create"]);
    const others = keys.map((key) => journal.put(key, "1"));
    held.resolve();
    await Promise.all([first, ...others]);
    expect(writes).toEqual(["create", "patch"]);
    expect(Object.keys(stored())).toHaveLength(51);
  });

  it("lets finished entries go along with the next one, or after a while", async () => {
    const { journal, writes, clock, stored } = journalOn();
    await journal.put("a", "1");
    journal.remove("a");
    expect(stored()).toEqual({ a: "1" });
    await journal.put("b", "1");
    expect(stored()).toEqual({ b: "1" });
    journal.remove("b");
    await clock.advance(29_999);
    expect(writes).toEqual(["create", "patch"]);
    await clock.advance(1);
    await expect.poll(stored).toEqual({});
    expect(writes).toHaveLength(3);
  });

  it("does not hurry to let go what was finished while it was writing", async () => {
    const { journal, writes, state, stored } = journalOn();
    await journal.put("a", "1");
    const held = Promise.withResolvers<void>();
    state.hold = held.promise;
    const second = journal.put("b", "1");
    await expect.poll(() => writes).toEqual(["create", "patch"]);
    journal.remove("a");
    held.resolve();
    await second;
    await settled();
    expect(writes).toEqual(["create", "patch"]);
    expect(stored()).toEqual({ a: "1", b: "1" });
    await journal.put("c", "1");
    expect(stored()).toEqual({ b: "1", c: "1" });
  });

  it("lets them go at the end, and does so in one write", async () => {
    const { journal, writes, stored } = journalOn();
    await Promise.all([journal.put("a", "1"), journal.put("b", "1")]);
    journal.remove("a");
    journal.remove("b");
    const before = writes.length;
    await journal.flush();
    expect(stored()).toEqual({});
    expect(writes).toHaveLength(before + 1);
    await journal.flush();
    expect(writes).toHaveLength(before + 1);
  });

  it("waits at the end for what is being written", async () => {
    const { journal, clock, state, stored } = journalOn();
    await journal.put("a", "1");
    journal.remove("a");
    const held = Promise.withResolvers<void>();
    state.hold = held.promise;
    await clock.advance(30_000);
    let isFlushed = false;
    const flushed = journal.flush().then(() => (isFlushed = true));
    await settled();
    expect(isFlushed).toBe(false);
    held.resolve();
    await flushed;
    expect(stored()).toEqual({});
  });

  it("writes nothing for an entry that is finished and begun again unchanged", async () => {
    const { journal, writes, stored } = journalOn();
    await journal.put("a", "1");
    journal.remove("a");
    await journal.put("a", "1");
    await journal.flush();
    expect(writes).toEqual(["create"]);
    expect(stored()).toEqual({ a: "1" });
    await journal.put("a", "2");
    expect(stored()).toEqual({ a: "2" });
  });

  it("says when a finished entry is gone for good", async () => {
    const { journal, stored } = journalOn();
    await journal.put("a", "1");
    journal.remove("a");
    await journal.settled("a");
    expect(stored()).toEqual({});
    await journal.settled("unknown");
  });

  it("keeps what others have written, and learns what they have removed", async () => {
    const { journal, cluster, stored } = journalOn();
    await journal.put("a", "1");
    const object = cluster.get(configMaps, place);
    cluster.put(configMaps, { ...(object as NonNullable<typeof object>), data: { theirs: "x" } });
    await journal.put("b", "1");
    expect(stored()).toEqual({ theirs: "x", b: "1" });
  });

  it("at the end leaves all as it is when another process has written", async () => {
    const { journal, cluster, stored } = journalOn();
    await journal.put("a", "1");
    journal.remove("a");
    const object = cluster.get(configMaps, place);
    cluster.put(configMaps, object as NonNullable<typeof object>);
    await expect(journal.flush()).rejects.toMatchObject({ reason: "Conflict" });
    expect(stored()).toEqual({ a: "1" });
  });

  it("is made anew, with all that is open, when somebody deletes it", async () => {
    const { journal, cluster, stored } = journalOn();
    await journal.put("a", "1");
    cluster.delete(configMaps, place);
    await journal.put("b", "1");
    await expect.poll(stored).toEqual({ a: "1", b: "1" });
  });

  it("that is full takes no more, until something is finished", async () => {
    const { journal } = journalOn(undefined, 100);
    await journal.put("a", "x".repeat(60));
    await expect(journal.put("b", "x".repeat(60))).rejects.toMatchObject({ code: "INTENT_JOURNAL_FULL" });
    journal.remove("a");
    await journal.put("b", "x".repeat(60));
  });

  it("that may not be written names the right that is missing", async () => {
    const { journal, state } = journalOn();
    state.failure = new ApiStatusError({ code: 403, reason: "Forbidden" }, { method: "POST", url: "" });
    await expect(journal.put("a", "1")).rejects.toMatchObject({
      code: "INTENT_JOURNAL_UNAVAILABLE",
      nextStep: expect.stringContaining("get, create and patch on configmaps in the namespace default"),
    });
  });

  it("takes back what it could not write, since nobody knows whether it is there", async () => {
    const { journal, state, stored, cluster } = journalOn();
    await journal.put("a", "1");
    state.failure = new Error("timeout");
    await expect(journal.put("b", "1")).rejects.toThrow("timeout");
    // It had been written after all.
    const object = cluster.get(configMaps, place) as NonNullable<ReturnType<typeof cluster.get<never>>>;
    cluster.put(configMaps, { ...(object as object), data: { a: "1", b: "1" } } as never);
    state.failure = undefined;
    await journal.put("c", "1");
    expect(stored()).toEqual({ a: "1", c: "1" });
    await journal.put("b", "2");
    expect(stored()).toEqual({ a: "1", c: "1", b: "2" });
  });

  it("keeps what it had of a volume when it could not write something newer about it", async () => {
    const { journal, state, stored } = journalOn();
    await journal.put("a", "1");
    state.failure = new Error("timeout");
    await expect(journal.put("a", "2")).rejects.toThrow("timeout");
    state.failure = undefined;
    await journal.put("b", "1");
    expect(stored()).toEqual({ a: "1", b: "1" });
    await journal.put("a", "2");
    expect(stored()).toEqual({ a: "2", b: "1" });
  });
});

const intent: Intent = {
  claim: { namespace: "team", name: "data", uid: "u" },
  volumeName: "pvc-u",
  className: "fast",
  secretRef: { namespace: "team", name: "s" },
  request: { name: "pvc-u", capacityRange: { requiredBytes: 2n ** 62n }, parameters: { type: "ssd" } },
};

describe("an intent", () => {
  it("comes back as it was", () => {
    const read = decodeIntent("u", encodeIntent(intent));
    expect(read).toMatchObject({ ...intent, request: { name: "pvc-u", parameters: { type: "ssd" } } });
    expect(read.request.capacityRange?.requiredBytes).toBe(2n ** 62n);
  });

  it("never has a secret in it", () => {
    const careless = { ...intent, request: { ...intent.request, secrets: { password: "hunter2" } } };
    expect(encodeIntent(careless)).not.toContain("hunter2");
  });

  it.each([
    ["no JSON", "{"],
    ["of another version", encodeIntent(intent).replace('"version":1', '"version":2')],
    ["of another claim", encodeIntent({ ...intent, claim: { ...intent.claim, uid: "x" } })],
    ["of another volume", encodeIntent({ ...intent, volumeName: "x" })],
    ["without its parts", '{"version":1,"request":{}}'],
  ])("that is %s cannot be read", (_what, text) => {
    expect(() => decodeIntent("u", text)).toThrow(expect.objectContaining({ code: "INTENT_UNREADABLE" }));
  });
});

describe("the book of intents", () => {
  const bookOn = (cluster = new MemoryCluster(async () => {})) => {
    const unreadable: unknown[] = [];
    const client = cluster.client({ isDead: false });
    const journal = new IntentJournal({ client, clock: systemClock, logger: silentLogger }, { ...place, idleMs: 1e6 });
    const book = new IntentBook({ journal, onUnreadable: (error) => void unreadable.push(error) });
    return { book, journal, cluster, unreadable };
  };

  it("closes an intent that the driver refused, but not one whose volume may exist", async () => {
    const { book } = bookOn();
    await book.begin(intent);
    book.refuse("u");
    expect(book.has("u")).toBe(false);
    await book.begin(intent);
    book.leave("u");
    expect(book.get("u")).toMatchObject({ isPinned: true, mayExist: true });
    book.refuse("u");
    expect(book.get("u")).toMatchObject({ isPinned: false, mayExist: true, refusals: 1 });
    book.close("u");
    expect(book.has("u")).toBe(false);
  });

  it("takes over what an earlier process left, and repeats it as it was", async () => {
    const { book, cluster } = bookOn();
    await book.begin(intent);
    const next = bookOn(cluster);
    await next.book.load();
    expect(next.book.claimUids()).toEqual(["u"]);
    expect(next.book.get("u")).toMatchObject({ isPinned: true, mayExist: true });
  });

  it("leaves what it cannot read where it is, and says so once", async () => {
    const { journal, cluster } = bookOn();
    await journal.put("u", "{");
    const { book, unreadable, journal: second } = bookOn(cluster);
    await book.load();
    await book.load();
    expect(unreadable).toMatchObject([{ code: "INTENT_UNREADABLE" }]);
    await second.put("v", "1");
    await second.flush();
    expect(cluster.get(configMaps, place)?.data).toEqual({ u: "{", v: "1" });
  });

  it("goes without a journal that it may not use, if it was told to, and says so once", async () => {
    const forbidden = new StowageError("INTENT_JOURNAL_UNAVAILABLE", "may not");
    const journal = { load: () => Promise.reject(forbidden) } as unknown as IntentJournal;
    const told: unknown[] = [];
    const book = new IntentBook({ journal, onUnreadable: () => {}, onForbidden: (error) => told.push(error) });
    await Promise.all([book.load(), book.load()]);
    expect(told).toEqual([forbidden]);
    expect(book.journal).toBeUndefined();
    await book.begin(intent);
    expect(book.has("u")).toBe(true);
    await expect(new IntentBook({ journal, onUnreadable: () => {} }).load()).rejects.toBe(forbidden);
  });

  it("goes without a journal that it may read and not write, if it was told to", async () => {
    const forbidden = new StowageError("INTENT_JOURNAL_UNAVAILABLE", "may not");
    const journal = {
      load: async () => new Map(),
      put: () => Promise.reject(forbidden),
    } as unknown as IntentJournal;
    const told: unknown[] = [];
    const book = new IntentBook({ journal, onUnreadable: () => {}, onForbidden: (error) => told.push(error) });
    await book.load();
    await book.begin(intent);
    await book.begin(intent);
    expect(told).toEqual([forbidden]);
    expect(book.has("u")).toBe(true);
    const strict = new IntentBook({ journal, onUnreadable: () => {} });
    await strict.load();
    await expect(strict.begin(intent)).rejects.toBe(forbidden);
  });

  it("keeps intents in memory alone without a journal", async () => {
    const book = new IntentBook({ onUnreadable: () => {} });
    await book.load();
    await book.begin(intent);
    expect(book.has("u")).toBe(true);
    book.close("u");
    expect(book.has("u")).toBe(false);
  });
});
