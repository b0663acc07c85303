import { subjectKey } from "./event-keys.ts";
import type { CorrelatedEvent } from "./repeat-counter.ts";

/** An event that somebody sends now. */
export interface TakenEvent extends CorrelatedEvent {
  /** Rises in the order in which events came. */
  readonly sequence: number;
}

/**
 * Events on their way to the server, in order and not more than the limit. An event that repeats while it still waits takes no
 * second place: it is brought up to date where it is. Several may be sent at once, but of one object one at a time, so that what
 * is told of it keeps its order.
 */
export class EventQueue {
  readonly #waiting = new Map<string, TakenEvent>();
  readonly #limit: number;
  #lastSequence = 0;
  /** Of events that are not settled yet, in the order in which they came. */
  readonly #open = new Set<number>();
  /** Objects of which an event is being sent. */
  readonly #busy = new Set<string>();
  readonly #watchers: { readonly sequence: number; readonly resolve: () => void }[] = [];
  #wakers: (() => void)[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** False when the queue is full. */
  put({ event, isRepeat }: CorrelatedEvent): boolean {
    const { namespace, name } = event.metadata;
    const key = `${namespace}/${name}`;
    const waiting = this.#waiting.get(key);
    if (waiting === undefined && this.#waiting.size >= this.#limit) return false;
    this.#waiting.set(key, waiting === undefined ? this.#opened({ event, isRepeat }) : { ...waiting, event });
    this.wake();
    return true;
  }

  /** The oldest of an object that nobody is busy with. */
  take(): TakenEvent | undefined {
    for (const [key, taken] of this.#waiting) {
      const subject = subjectKey(taken.event);
      if (this.#busy.has(subject)) continue;
      this.#busy.add(subject);
      this.#waiting.delete(key);
      return taken;
    }
    return undefined;
  }

  /** Whoever took an event says so when it is sent or given up. */
  settle({ event, sequence }: TakenEvent): void {
    this.#busy.delete(subjectKey(event));
    this.#close(sequence);
    this.wake();
  }

  /** Gives up what waits; returns how many. */
  clear(): number {
    const count = this.#waiting.size;
    for (const { sequence } of this.#waiting.values()) this.#close(sequence);
    this.#waiting.clear();
    return count;
  }

  /** Resolves when everything that was put in until now is settled. */
  whenSettled(): Promise<void> {
    if (this.#open.size === 0) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#watchers.push({ sequence: this.#lastSequence, resolve });
    return promise;
  }

  /** Resolves when there may be something to take, or at `wake`. */
  woken(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wakers.push(resolve);
    return promise;
  }

  wake(): void {
    const wakers = this.#wakers;
    this.#wakers = [];
    for (const wake of wakers) wake();
  }

  #opened(correlated: CorrelatedEvent): TakenEvent {
    const sequence = ++this.#lastSequence;
    this.#open.add(sequence);
    return { ...correlated, sequence };
  }

  #close(sequence: number): void {
    this.#open.delete(sequence);
    const [oldest = Number.POSITIVE_INFINITY] = this.#open;
    while (this.#watchers[0] !== undefined && this.#watchers[0].sequence < oldest) this.#watchers.shift()?.resolve();
  }
}
