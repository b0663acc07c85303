import type { Clock } from "@stowage/machinery";

/** A Pod that waits for a node. */
export interface Waiting {
  readonly uid: string;
  /** `namespace/name` */
  readonly key: string;
  readonly priority: number;
}

/** `ready` is taken at once, `later` when there is nothing else, `failed` not before its time, `parked` once something may help. */
type State = "ready" | "later" | "failed" | "parked" | "taken";

interface Entry extends Waiting {
  readonly sinceMs: number;
  state: State;
  attempts: number;
  /** Of the last attempt. */
  atMs: number;
  /** That refused it at the last attempt. */
  filters: ReadonlySet<string>;
}

const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 10_000;
/** Whatever was overlooked is looked at again after so long. */
const LONGEST_PARKED_MS = 300_000;

/** Pods without a node: those to be looked at, by priority, and those that wait until something changes that may help them. */
export class SchedulingQueue {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();
  #bell = Promise.withResolvers<void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** To be looked at as soon as its turn comes, also if it was parked. */
  offer(waiting: Waiting): void {
    const known = this.#entries.get(waiting.uid);
    const atMs = this.#clock.monotonicMs();
    const fresh = { sinceMs: atMs, attempts: 0, atMs, filters: new Set<string>(), ...known };
    const state = known?.state === "taken" ? "taken" : "ready";
    this.#entries.set(waiting.uid, { ...fresh, ...waiting, state });
    this.#ring();
  }

  has(uid: string): boolean {
    return this.#entries.has(uid);
  }

  remove(uid: string): void {
    this.#entries.delete(uid);
  }

  /** The next to be looked at. It stays known until it is removed, and comes back by `park` or `fail`. */
  take(): Waiting | undefined {
    const all = [...this.#entries.values()];
    const ready = all.filter(({ state }) => state === "ready");
    const later = all.filter(({ state }) => state === "later");
    const due = all.filter((entry) => entry.state === "failed" && this.#readyMs(entry) <= this.#clock.monotonicMs());
    const next = first([...ready, ...due]) ?? first(later);
    if (next === undefined) return undefined;
    next.state = "taken";
    next.attempts++;
    next.atMs = this.#clock.monotonicMs();
    return next;
  }

  /** There is no node for it, as these filters say. */
  park(uid: string, filters: ReadonlySet<string>): void {
    this.#put(uid, "parked", filters);
  }

  /** Something went wrong: it is tried again, a little later each time. */
  fail(uid: string): void {
    this.#put(uid, "failed", new Set());
    this.#ring();
  }

  /** Something changed that may help some of those that are parked. */
  wake(mayHelp: (waiting: Waiting, filters: ReadonlySet<string>) => boolean): void {
    for (const entry of this.#entries.values()) {
      if (entry.state !== "parked" || !mayHelp(entry, entry.filters)) continue;
      entry.state = this.#readyMs(entry) > this.#clock.monotonicMs() ? "later" : "ready";
      this.#ring();
    }
  }

  /** Resolves when there may be one to take. */
  async whenReady(signal: AbortSignal): Promise<void> {
    const times = [...this.#entries.values()].flatMap((entry) => {
      if (entry.state === "failed") return [this.#readyMs(entry)];
      return entry.state === "parked" ? [entry.atMs + LONGEST_PARKED_MS] : [];
    });
    const waitMs = Math.max(0, Math.min(LONGEST_PARKED_MS, ...times.map((ms) => ms - this.#clock.monotonicMs())));
    const ended = new AbortController();
    const sleep = this.#clock.sleep(waitMs, AbortSignal.any([signal, ended.signal])).catch(() => {});
    await Promise.race([this.#bell.promise, sleep]).finally(() => ended.abort());
    this.#bell = Promise.withResolvers();
    this.wake((waiting) => this.#isForgotten(waiting.uid));
  }

  #isForgotten(uid: string): boolean {
    const atMs = this.#entries.get(uid)?.atMs ?? 0;
    return this.#clock.monotonicMs() - atMs >= LONGEST_PARKED_MS;
  }

  #put(uid: string, state: State, filters: ReadonlySet<string>): void {
    const entry = this.#entries.get(uid);
    if (entry === undefined) return;
    entry.state = state;
    entry.filters = filters;
  }

  #readyMs({ atMs, attempts }: Entry): number {
    return atMs + Math.min(FIRST_BACKOFF_MS * 2 ** Math.max(0, attempts - 1), LONGEST_BACKOFF_MS);
  }

  #ring(): void {
    this.#bell.resolve();
  }
}

/** The most important; of equally important ones the one that has waited longest. */
function first(entries: readonly Entry[]): Entry | undefined {
  return entries.toSorted((a, b) => b.priority - a.priority || a.sinceMs - b.sinceMs)[0];
}
