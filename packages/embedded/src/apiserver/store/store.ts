import { type Change, ChangeLog, type ChangeLogLimits, defaultChangeLogLimits } from "./change-log.ts";
import { type ListedPage, ObjectTable, type PageLimits, type StoredObject } from "./object-table.ts";
import { StoreFile } from "./store-file.ts";

export interface StoreOptions {
  /** Kept in memory alone when left out. */
  readonly path?: string;
  readonly log?: ChangeLogLimits;
}

/** What a transaction sees: the last state, with its own changes. */
export interface Transaction {
  /** That its changes will have, from now on. */
  readonly revision: number;
  get(key: string): StoredObject | undefined;
  put(key: string, text: string): void;
  delete(key: string): void;
  /** What is put from now on comes after what was put before, with a revision of its own. It is kept with it, or not at all. */
  advance(): void;
}

export type WatchListener = (changes: readonly Change[]) => void;

export interface ListOptions extends PageLimits {
  /** As it was then; as it is now when left out. */
  readonly revision?: number;
}

/** Objects as text, by key. Nobody sees a change before it is on disk, and everybody sees all changes in one order. */
export interface Store extends Disposable {
  /** Of the last change. */
  readonly revision: number;
  /** The oldest that lists and watches can begin from. */
  readonly compactedRevision: number;
  readonly size: number;
  get(key: string): StoredObject | undefined;
  /** Undefined when the revision asked for is too old. */
  list(prefix: string, options?: ListOptions): ListedPage | undefined;
  /**
   * `work` runs alone, soon, and synchronously. Resolves with what it returns when its changes are durable; when it throws, nothing
   * has happened. Those that come at about the same time share one commit.
   */
  transact<Result>(work: (transaction: Transaction) => Result): Promise<Result>;
  /** Every change after the revision, old ones first and at once. Undefined when the revision is too old. */
  watch(afterRevision: number, listener: WatchListener): Disposable | undefined;
}

export function createStore(options: StoreOptions = {}): Store {
  return new DurableStore(options);
}

interface Waiting {
  run(batch: Batch): () => void;
  fail(error: unknown): void;
}

class DurableStore implements Store {
  readonly #file: StoreFile | undefined;
  readonly #table = new ObjectTable();
  readonly #log: ChangeLog;
  readonly #listeners = new Set<WatchListener>();
  #waiting: Waiting[] = [];
  #revision: number;

  constructor({ path, log = defaultChangeLogLimits }: StoreOptions) {
    using opening = new DisposableStack();
    this.#file = path === undefined ? undefined : opening.use(new StoreFile(path));
    for (const object of this.#file?.objects() ?? []) this.#table.set(object);
    // The first is 1, as it is there: 0 has a meaning of its own in requests.
    this.#revision = Math.max(1, this.#file?.revision ?? 0);
    opening.move();
    this.#log = new ChangeLog(log, this.#revision);
  }

  get revision(): number {
    return this.#revision;
  }

  get compactedRevision(): number {
    return this.#log.compactedRevision;
  }

  get size(): number {
    return this.#table.size;
  }

  get(key: string): StoredObject | undefined {
    return this.#table.get(key);
  }

  list(prefix: string, { revision = this.#revision, ...limits }: ListOptions = {}): ListedPage | undefined {
    if (revision >= this.#revision) return this.#table.page(prefix, limits);
    const since = this.#log.after(revision);
    return since && tableBefore(this.#table, prefix, since).page(prefix, limits);
  }

  transact<Result>(work: (transaction: Transaction) => Result): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    if (this.#waiting.length === 0) setImmediate(() => this.#commit());
    this.#waiting.push({
      run(batch) {
        const result = batch.attempt(work);
        return () => resolve(result);
      },
      fail: reject,
    });
    return promise;
  }

  watch(afterRevision: number, listener: WatchListener): Disposable | undefined {
    const missed = this.#log.after(afterRevision);
    if (missed === undefined) return undefined;
    if (missed.length > 0) listener(missed);
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  [Symbol.dispose](): void {
    this.#commit();
    this.#listeners.clear();
    this.#file?.[Symbol.dispose]();
  }

  #commit(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const batch = new Batch(this.#table, this.#revision);
    const settled = waiting.map((each) => attempt(each, batch));
    try {
      if (batch.changes.length > 0) this.#file?.write(batch.changes, batch.revision);
    } catch (error) {
      // None of it has happened; whoever waited is told why, and the next may be luckier.
      for (const each of waiting) each.fail(error);
      return;
    }
    this.#publish(batch);
    for (const settle of settled) settle();
  }

  #publish({ changes, revision }: Batch): void {
    if (changes.length === 0) return;
    this.#revision = revision;
    for (const change of changes) {
      if (change.text === undefined) this.#table.delete(change.key);
      else this.#table.set({ key: change.key, revision: change.revision, text: change.text });
      this.#log.add(change);
    }
    for (const listener of this.#listeners) listener(changes);
  }
}

/** What to call when the batch is durable. One that throws is told at once that nothing came of it. */
function attempt({ run, fail }: Waiting, batch: Batch): () => void {
  try {
    return run(batch);
  } catch (error) {
    return () => fail(error);
  }
}

/** The changes of several transactions, one after the other, before they are committed together. */
class Batch {
  readonly changes: Change[] = [];
  readonly #table: ObjectTable;
  readonly #latest = new Map<string, StoredObject | undefined>();
  #revision: number;

  constructor(table: ObjectTable, revision: number) {
    this.#table = table;
    this.#revision = revision;
  }

  get revision(): number {
    return this.#revision;
  }

  attempt<Result>(work: (transaction: Transaction) => Result): Result {
    const own = new OwnChanges(this.#revision + 1, (key) => this.#before(key));
    const result = work(own);
    for (const [key, { text, revision }] of own.changes) {
      const previous = this.#before(key);
      if (previous === undefined && text === undefined) continue;
      this.#latest.set(key, text === undefined ? undefined : { key, revision, text });
      this.changes.push({ revision, key, text, previous });
      this.#revision = revision;
    }
    return result;
  }

  #before(key: string): StoredObject | undefined {
    return this.#latest.has(key) ? this.#latest.get(key) : this.#table.get(key);
  }
}

/** What one transaction has changed so far. */
class OwnChanges implements Transaction {
  readonly changes = new Map<string, { readonly text: string | undefined; readonly revision: number }>();
  readonly #before: (key: string) => StoredObject | undefined;
  #revision: number;

  constructor(revision: number, before: (key: string) => StoredObject | undefined) {
    this.#revision = revision;
    this.#before = before;
  }

  get revision(): number {
    return this.#revision;
  }

  get(key: string): StoredObject | undefined {
    const own = this.changes.get(key);
    if (own === undefined) return this.#before(key);
    return own.text === undefined ? undefined : { key, revision: own.revision, text: own.text };
  }

  put(key: string, text: string): void {
    this.changes.set(key, { text, revision: this.#revision });
  }

  delete(key: string): void {
    this.changes.set(key, { text: undefined, revision: this.#revision });
  }

  advance(): void {
    this.#revision += 1;
  }
}

/** What was under the prefix before these changes. */
function tableBefore(now: ObjectTable, prefix: string, changes: readonly Change[]): ObjectTable {
  const table = new ObjectTable();
  for (const object of now.page(prefix).objects) table.set(object);
  for (const { key, previous } of changes.toReversed()) {
    if (!key.startsWith(prefix)) continue;
    if (previous === undefined) table.delete(key);
    else table.set(previous);
  }
  return table;
}
