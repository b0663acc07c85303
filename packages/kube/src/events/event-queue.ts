import type { CorrelatedEvent } from "./repeat-counter.ts";

/**
 * Events on their way to the server, in order and not more than the limit. An event that repeats while it still waits takes no
 * second place: it is brought up to date where it is.
 */
export class EventQueue {
  readonly #waiting = new Map<string, CorrelatedEvent>();
  readonly #limit: number;
  #accepted = 0;
  #settled = 0;
  readonly #watchers: { readonly target: number; readonly resolve: () => void }[] = [];
  #wake: (() => void) | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** False when the queue is full. */
  put(correlated: CorrelatedEvent): boolean {
    const { namespace, name } = correlated.event.metadata;
    const key = `${namespace}/${name}`;
    const waiting = this.#waiting.get(key);
    if (waiting === undefined && this.#waiting.size >= this.#limit) return false;
    if (waiting === undefined) this.#accepted++;
    this.#waiting.set(key, { event: correlated.event, isRepeat: waiting?.isRepeat ?? correlated.isRepeat });
    this.wake();
    return true;
  }

  take(): CorrelatedEvent | undefined {
    for (const [key, correlated] of this.#waiting) {
      this.#waiting.delete(key);
      return correlated;
    }
    return undefined;
  }

  /** Whoever took an event says so when it is sent or given up. */
  settle(count = 1): void {
    this.#settled += count;
    while (this.#watchers[0] !== undefined && this.#watchers[0].target <= this.#settled)
      this.#watchers.shift()?.resolve();
  }

  /** Resolves when everything that was put in until now is settled. */
  whenSettled(): Promise<void> {
    if (this.#settled >= this.#accepted) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#watchers.push({ target: this.#accepted, resolve });
    return promise;
  }

  /** Resolves at the next `put` or `wake`. */
  woken(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    return promise;
  }

  wake(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}
