import type { Clock } from "@stowage/machinery";

interface RunningOperation {
  readonly method: string;
  readonly startedMs: number;
}

/** Held for as long as the operation runs; disposing it lets the next one in. */
export interface OperationLock extends Disposable {
  readonly subject: string;
}

/**
 * One operation at a time on a subject, such as a volume. A second one is refused rather than queued: its caller tries again
 * and learns the outcome then, whereas a queue would outlive the callers in it.
 */
export class OperationLocks {
  readonly #running = new Map<string, RunningOperation>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The lock, or what keeps it from being given: "volume pvc-1: NodeStageVolume has been running for 3.2 s". */
  tryAcquire(subject: string, method: string): OperationLock | string {
    const running = this.#running.get(subject);
    if (running) {
      const seconds = ((this.#clock.monotonicMs() - running.startedMs) / 1000).toFixed(1);
      return `${subject}: ${running.method} has been running for ${seconds} s`;
    }
    const operation = { method, startedMs: this.#clock.monotonicMs() };
    this.#running.set(subject, operation);
    return {
      subject,
      [Symbol.dispose]: () => {
        if (this.#running.get(subject) === operation) this.#running.delete(subject);
      },
    };
  }
}
