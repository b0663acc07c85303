import type { KubeClient } from "@stowage/kube";
import { type Clock, type Logger, StowageError } from "@stowage/machinery";
import { isOutdated, type JournalChanges, type JournalPlace, JournalStore } from "./journal-store.ts";

export interface IntentJournalDeps {
  readonly client: Pick<KubeClient, "find" | "create" | "patch">;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface IntentJournalSettings extends JournalPlace {
  /** How long finished entries may stay when nothing else is written. */
  readonly idleMs: number;
  readonly limitBytes?: number;
}

interface Batch {
  /** Undefined takes the entry away. */
  readonly changes: Map<string, string | undefined>;
  readonly written: PromiseWithResolvers<void>;
  /** Somebody waits for it. */
  isUrgent: boolean;
}

/** The API server takes 1 MiB of values; the rest is for keys and metadata. */
const LIMIT_BYTES = 900 * 1024;
const MAX_CONFLICTS = 5;

/**
 * Entries in one ConfigMap, by key. Writes gather: while one is under way, all changes that come go together with the next, so
 * that many entries at once cost few writes. New entries are written at once, finished ones go along with others, or when nothing
 * else was written for a while. Only one process may write: the one that leads.
 */
export class IntentJournal {
  readonly #deps: IntentJournalDeps;
  readonly #settings: Required<IntentJournalSettings>;
  readonly #store: JournalStore;
  /** As the server has them, as far as is known here. */
  #entries = new Map<string, string>();
  #isLoaded = false;
  #loading: Promise<void> | undefined;
  #next: Batch = newBatch();
  #current: Batch | undefined;
  #idle: AbortController | undefined;
  #isEnding = false;

  constructor(deps: IntentJournalDeps, settings: IntentJournalSettings) {
    this.#deps = deps;
    this.#settings = { limitBytes: LIMIT_BYTES, ...settings };
    this.#store = new JournalStore(deps.client, settings);
  }

  get place(): JournalPlace {
    return this.#store.place;
  }

  /** Reads all entries; once, however often it is called, and again after a failure. Throws INTENT_JOURNAL_UNAVAILABLE. */
  async load(): Promise<ReadonlyMap<string, string>> {
    if (!this.#isLoaded) await (this.#loading ??= this.#read().finally(() => (this.#loading = undefined)));
    return this.#entries;
  }

  /** Resolves when the entry is safe. Throws INTENT_JOURNAL_FULL, INTENT_JOURNAL_UNAVAILABLE; then it may be there or not. */
  async put(key: string, value: string): Promise<void> {
    await this.load();
    if (this.#isWritten(key, value)) {
      // It was finished and is wanted again, before anybody took it away.
      this.#next.changes.delete(key);
      return;
    }
    this.#checkRoom(key, value);
    this.#next.changes.set(key, value);
    await this.#write();
  }

  /** The entry is needed no longer; it goes some time. */
  remove(key: string): void {
    if (this.#entries.has(key) || this.#current?.changes.has(key) === true) this.#next.changes.set(key, undefined);
    if (this.#next.changes.size > 0) this.#writeWhenIdle();
  }

  /** Resolves when the entry, if it was removed, is gone from the server too. */
  async settled(key: string): Promise<void> {
    if (this.#next.changes.has(key)) await this.#write();
    else if (this.#current?.changes.has(key) === true) await this.#current.written.promise;
  }

  /** At the end: takes finished entries away at once, unless another process has written since, which then leads. */
  async flush(): Promise<void> {
    this.#isEnding = true;
    this.#idle?.abort();
    if (this.#next.changes.size > 0) await this.#write();
    // The process may end right after this, and would cut it off.
    else await this.#current?.written.promise;
  }

  #isWritten(key: string, value: string): boolean {
    return (
      this.#entries.get(key) === value &&
      this.#current?.changes.has(key) !== true &&
      this.#next.changes.get(key) === undefined
    );
  }

  #checkRoom(key: string, value: string): void {
    const after = new Map<string, string | undefined>([...this.#entries, ...(this.#current?.changes ?? [])]);
    for (const [each, change] of [...this.#next.changes, [key, value] as const]) after.set(each, change);
    let bytes = 0;
    for (const [each, text] of after) if (text !== undefined) bytes += each.length + Buffer.byteLength(text);
    if (bytes <= this.#settings.limitBytes) return;
    throw new StowageError(
      "INTENT_JOURNAL_FULL",
      `the ConfigMap ${this.place.namespace}/${this.place.name} holds ${after.size - 1} volumes under way and has no room for another`,
    );
  }

  /** Resolves when all changes that wait now are written. */
  #write(): Promise<void> {
    this.#next.isUrgent = true;
    const { promise } = this.#next.written;
    // Whoever put an entry waits for it; nobody waits when finished entries go.
    promise.catch(() => {});
    if (this.#current === undefined) void this.#writeAll();
    return promise;
  }

  async #writeAll(): Promise<void> {
    this.#idle?.abort();
    while (this.#next.isUrgent) {
      const batch = this.#next;
      this.#current = batch;
      this.#next = newBatch();
      try {
        await this.#send(batch.changes);
        this.#current = undefined;
        batch.written.resolve();
      } catch (error) {
        this.#current = undefined;
        this.#takeBack(batch);
        batch.written.reject(error);
      }
    }
    // What was only finished meanwhile has time.
    if (this.#next.changes.size > 0) this.#writeWhenIdle();
  }

  /**
   * After a failed write nobody knows what the server has: what was to be there is to go, or to be again what it was before, since
   * a volume may have been begun by that; unless it is put again.
   */
  #takeBack({ changes }: Batch): void {
    for (const [key, value] of changes) {
      const before = value === undefined ? undefined : this.#entries.get(key);
      if (!this.#next.changes.has(key)) this.#next.changes.set(key, before);
      this.#entries.delete(key);
    }
  }

  #writeWhenIdle(): void {
    // At the end there is no later, and a timer would keep the process alive.
    if (this.#isEnding || this.#current !== undefined) return;
    if (this.#idle !== undefined && !this.#idle.signal.aborted) return;
    const idle = new AbortController();
    this.#idle = idle;
    this.#deps.clock.sleep(this.#settings.idleMs, idle.signal).then(
      () => {
        this.#idle = undefined;
        if (this.#next.changes.size > 0)
          this.#write().catch((error: unknown) =>
            this.#deps.logger.warn({ error }, "finished entries stay in the journal of intents for now"),
          );
      },
      () => {},
    );
  }

  async #send(changes: JournalChanges): Promise<void> {
    for (let conflicts = 0; ; conflicts++) {
      try {
        this.#entries = await this.#store.write(changes);
        return;
      } catch (error) {
        if (!isOutdated(error) || this.#isEnding || conflicts === MAX_CONFLICTS) throw error;
        await this.#read();
      }
    }
  }

  async #read(): Promise<void> {
    const found = await this.#store.read();
    if (found === undefined) this.#writeAnew();
    this.#entries = found ?? new Map();
    this.#isLoaded = true;
  }

  /** The ConfigMap was deleted under our hands: what is under way goes into the new one. */
  #writeAnew(): void {
    for (const [key, value] of this.#entries) {
      if (this.#next.changes.has(key) || this.#current?.changes.has(key) === true) continue;
      this.#next.changes.set(key, value);
      this.#next.isUrgent = true;
    }
  }
}

function newBatch(): Batch {
  return { changes: new Map(), written: Promise.withResolvers(), isUrgent: false };
}
