import type { Clock } from "@stowage/machinery";

/** Keys that failed in a way that trying again will hardly mend, each until its time is over. */
export class SlowRetries {
  readonly #clock: Clock;
  readonly #retentionMs: number;
  readonly #dueMs = new Map<string, number>();

  constructor(clock: Clock, retentionMs: number) {
    this.#clock = clock;
    this.#retentionMs = retentionMs;
  }

  add(key: string): void {
    this.#dueMs.set(key, this.#clock.monotonicMs() + this.#retentionMs);
  }

  forget(key: string): void {
    this.#dueMs.delete(key);
  }

  /** How long the key must wait; 0 when it may be tried. */
  remainingMs(key: string): number {
    const remainingMs = (this.#dueMs.get(key) ?? 0) - this.#clock.monotonicMs();
    if (remainingMs > 0) return remainingMs;
    this.#dueMs.delete(key);
    return 0;
  }
}
