import { type Clock, createItemBackoff } from "@stowage/machinery";

export type OperationName = "attach" | "detach";

interface Failure {
  readonly operation: OperationName;
  readonly retryAtMs: number;
}

/** What is under way for volumes: one operation at a time for each key. What failed waits before it is tried again, longer each time. */
export class VolumeOperations {
  readonly #clock: Clock;
  readonly #running = new Map<string, Promise<void>>();
  readonly #failures = new Map<string, Failure>();
  readonly #backoff = createItemBackoff({ initialMs: 500, maximumMs: 122_000 });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isRunning(key: string): boolean {
    return this.#running.has(key);
  }

  /** How long the operation has to wait; 0: it may begin. A failed detachment does not hold back an attachment. */
  waitMs(key: string, operation: OperationName): number {
    const failure = this.#failures.get(key);
    if (failure?.operation !== operation) return 0;
    return Math.max(0, failure.retryAtMs - this.#clock.monotonicMs());
  }

  /** `ended` is called when it has, with the error if there was one. */
  start(key: string, operation: OperationName, work: () => Promise<void>, ended: (error?: unknown) => void): void {
    if (this.#failures.get(key)?.operation !== operation) this.#forget(key);
    const running = work().then(
      () => {
        this.#forget(key);
        this.#running.delete(key);
        ended();
      },
      (error: unknown) => {
        this.#failures.set(key, { operation, retryAtMs: this.#clock.monotonicMs() + this.#backoff.nextMs(key) });
        this.#running.delete(key);
        ended(error);
      },
    );
    this.#running.set(key, running);
  }

  /** When nothing is under way any more. */
  async drained(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  #forget(key: string): void {
    this.#failures.delete(key);
    this.#backoff.forget(key);
  }
}
