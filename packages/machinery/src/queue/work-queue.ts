import type { Clock } from "../clock.ts";
import { DelayedKeys } from "./delayed-keys.ts";

/** Told of what happens in a queue: metrics hang on it. */
export interface QueueObserver {
  added(): void;
  started(waitedMs: number): void;
  finished(workedMs: number): void;
  retried(): void;
}

export interface WorkQueueDeps {
  readonly clock: Clock;
  readonly observer?: QueueObserver;
}

/**
 * Keys that wait to be worked on. A key waits once however often it is added, and is never handed to two workers at once: added
 * while it is worked on, it comes again afterwards. What changed goes before what is only looked at again (the initial list, a
 * resync), but every fifth turn is the latter's, so that neither starves.
 */
export interface WorkQueue {
  /** Of keys that are ready, without those that wait for their time or are worked on. */
  readonly size: number;
  /** Keys that wait for their time. */
  readonly delayed: number;
  /** How long the longest waiting ready key has waited; 0 when none waits. */
  oldestAgeMs(): number;
  /** For each key that is being worked on, for how long. */
  runningMs(): number[];
  add(key: string): void;
  /** For what has not changed: such keys give way to others. */
  addInBackground(key: string): void;
  addAfter(key: string, delayMs: number): void;
  /** As `addAfter`, and counted as a retry. */
  retryAfter(key: string, delayMs: number): void;
  /** The next key, when there is one; undefined once the queue is closed. Each key taken must be given to `done`. */
  take(): Promise<string | undefined>;
  done(key: string): void;
  /** Nothing is handed out any more, and nothing taken in. */
  close(): void;
}

interface Running {
  readonly startedMs: number;
  again: Lane | undefined;
}

type Lane = "changed" | "background";

const BACKGROUND_TURN = 5;

export function createWorkQueue(deps: WorkQueueDeps): WorkQueue {
  return new KeyQueue(deps);
}

class KeyQueue implements WorkQueue {
  readonly #clock: Clock;
  readonly #observer: QueueObserver | undefined;
  /** Insertion order is the order of turns; the value is since when. */
  readonly #lanes: Record<Lane, Map<string, number>> = { changed: new Map(), background: new Map() };
  readonly #running = new Map<string, Running>();
  readonly #waiters: ((key: string | undefined) => void)[] = [];
  readonly #delayed: DelayedKeys;
  #turn = 0;
  #isClosed = false;

  constructor({ clock, observer }: WorkQueueDeps) {
    this.#clock = clock;
    this.#observer = observer;
    this.#delayed = new DelayedKeys(clock, (key) => this.add(key));
  }

  get size(): number {
    return this.#lanes.changed.size + this.#lanes.background.size;
  }

  get delayed(): number {
    return this.#delayed.size;
  }

  oldestAgeMs(): number {
    // Not the first of each lane: a key that moved up from the background has waited longer than those before it.
    let oldestMs = this.#clock.monotonicMs();
    const nowMs = oldestMs;
    for (const lane of Object.values(this.#lanes))
      for (const since of lane.values()) oldestMs = Math.min(oldestMs, since);
    return nowMs - oldestMs;
  }

  runningMs(): number[] {
    const nowMs = this.#clock.monotonicMs();
    return [...this.#running.values()].map(({ startedMs }) => nowMs - startedMs);
  }

  add(key: string): void {
    this.#enqueue(key, "changed");
  }

  addInBackground(key: string): void {
    this.#enqueue(key, "background");
  }

  addAfter(key: string, delayMs: number): void {
    if (this.#isClosed) return;
    if (delayMs <= 0) this.add(key);
    else this.#delayed.add(key, delayMs);
  }

  retryAfter(key: string, delayMs: number): void {
    this.#observer?.retried();
    this.addAfter(key, delayMs);
  }

  take(): Promise<string | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined);
    const key = this.#next();
    if (key !== undefined) return Promise.resolve(key);
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  done(key: string): void {
    const running = this.#running.get(key);
    if (running === undefined) return;
    this.#running.delete(key);
    this.#observer?.finished(this.#clock.monotonicMs() - running.startedMs);
    if (running.again !== undefined) this.#enqueue(key, running.again);
  }

  close(): void {
    this.#isClosed = true;
    this.#delayed.clear();
    for (const lane of Object.values(this.#lanes)) lane.clear();
    for (const resolve of this.#waiters.splice(0)) resolve(undefined);
  }

  #enqueue(key: string, lane: Lane): void {
    if (this.#isClosed) return;
    const running = this.#running.get(key);
    if (running !== undefined) {
      running.again = running.again === "changed" ? "changed" : lane;
      return;
    }
    const { changed, background } = this.#lanes;
    if (changed.has(key)) return;
    const since = background.get(key);
    if (since !== undefined && lane === "background") return;
    background.delete(key);
    this.#lanes[lane].set(key, since ?? this.#clock.monotonicMs());
    if (since === undefined) this.#observer?.added();
    this.#serveWaiter();
  }

  #serveWaiter(): void {
    if (this.#waiters.length === 0) return;
    const key = this.#next();
    if (key !== undefined) this.#waiters.shift()?.(key);
  }

  #next(): string | undefined {
    const { changed, background } = this.#lanes;
    this.#turn = (this.#turn + 1) % BACKGROUND_TURN;
    const [preferred, other] = this.#turn === 0 ? [background, changed] : [changed, background];
    const lane = preferred.size > 0 ? preferred : other;
    const next = first(lane);
    if (next === undefined) return undefined;
    lane.delete(next.key);
    const startedMs = this.#clock.monotonicMs();
    this.#running.set(next.key, { startedMs, again: undefined });
    this.#observer?.started(startedMs - next.since);
    return next.key;
  }
}

function first(lane: ReadonlyMap<string, number>): { key: string; since: number } | undefined {
  const [entry] = lane;
  return entry === undefined ? undefined : { key: entry[0], since: entry[1] };
}
