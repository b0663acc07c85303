import type { Clock } from "@stowage/machinery";

/** Lets somebody sleep until something happens. What happens between `reset` and `wait` is not lost. */
export class WakeUp {
  readonly #clock: Clock;
  #next = Promise.withResolvers<void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  reset(): void {
    this.#next = Promise.withResolvers<void>();
  }

  now(): void {
    this.#next.resolve();
  }

  after(happens: Promise<unknown>): void {
    void happens.then(() => this.now());
  }

  /** Until it is woken, the time is over or the signal is aborted. */
  async wait(durationMs: number, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const either = AbortSignal.any([signal, over.signal]);
    await Promise.race([this.#next.promise, this.#clock.sleep(durationMs, either).catch(() => {})]);
    over.abort();
  }
}
