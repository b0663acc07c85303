import type { Clock } from "../clock.ts";

interface Delayed {
  readonly key: string;
  readonly dueMs: number;
}

/**
 * Keys that wait for their time. A key waits once: asked for twice, the earlier time counts. One timer for all of them, so that
 * ten thousand keys in backoff cost no more than their names.
 */
export class DelayedKeys {
  readonly #clock: Clock;
  readonly #onDue: (key: string) => void;
  readonly #dueMs = new Map<string, number>();
  /** A binary heap by due time. May hold outdated entries of a key: `#dueMs` says which one counts. */
  readonly #heap: Delayed[] = [];
  #sleep: { readonly untilMs: number; readonly cancel: AbortController } | undefined;

  constructor(clock: Clock, onDue: (key: string) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  get size(): number {
    return this.#dueMs.size;
  }

  add(key: string, delayMs: number): void {
    const dueMs = this.#clock.monotonicMs() + delayMs;
    const known = this.#dueMs.get(key);
    if (known !== undefined && known <= dueMs) return;
    this.#dueMs.set(key, dueMs);
    this.#push({ key, dueMs });
    this.#sleepUntilNext();
  }

  clear(): void {
    this.#dueMs.clear();
    this.#heap.length = 0;
    this.#sleep?.cancel.abort();
    this.#sleep = undefined;
  }

  #sleepUntilNext(): void {
    const next = this.#heap[0];
    if (next === undefined || (this.#sleep !== undefined && this.#sleep.untilMs <= next.dueMs)) return;
    this.#sleep?.cancel.abort();
    const cancel = new AbortController();
    this.#sleep = { untilMs: next.dueMs, cancel };
    this.#clock.sleep(Math.max(0, next.dueMs - this.#clock.monotonicMs()), cancel.signal).then(
      () => this.#wake(cancel),
      () => {},
    );
  }

  #wake(cancel: AbortController): void {
    if (this.#sleep?.cancel !== cancel) return;
    const { untilMs } = this.#sleep;
    this.#sleep = undefined;
    // A timer may ring a little early by the other clock: what it was set for is due all the same.
    const nowMs = Math.max(untilMs, this.#clock.monotonicMs());
    for (let next = this.#heap[0]; next !== undefined && next.dueMs <= nowMs; next = this.#heap[0]) {
      this.#pop();
      if (this.#dueMs.get(next.key) !== next.dueMs) continue;
      this.#dueMs.delete(next.key);
      this.#onDue(next.key);
    }
    this.#sleepUntilNext();
  }

  #push(entry: Delayed): void {
    const heap = this.#heap;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#at(parent).dueMs <= entry.dueMs) break;
      heap[at] = this.#at(parent);
      at = parent;
    }
    heap[at] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && this.#at(child + 1).dueMs < this.#at(child).dueMs) child++;
      if (this.#at(child).dueMs >= last.dueMs) break;
      heap[at] = this.#at(child);
      at = child;
    }
    heap[at] = last;
  }

  #at(index: number): Delayed {
    return this.#heap[index] as Delayed;
  }
}
