import type { Clock } from "@stowage/machinery";

interface RunningCall {
  readonly method: string;
  readonly abort: AbortController;
}

/** The calls that a server works on, so that it can stop without cutting them off. */
export class RunningCalls {
  readonly #calls = new Set<RunningCall>();
  readonly #waiting = new Set<() => void>();
  #isStopping = false;

  /** New calls are to be refused. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  get methods(): readonly string[] {
    return [...this.#calls].map((call) => call.method);
  }

  begin(method: string, abort: AbortController): Disposable {
    const call = { method, abort };
    this.#calls.add(call);
    return {
      [Symbol.dispose]: () => {
        this.#calls.delete(call);
        if (this.#calls.size > 0) return;
        for (const wake of this.#waiting) wake();
      },
    };
  }

  stopAccepting(): void {
    this.#isStopping = true;
  }

  abortAll(reason: Error): void {
    for (const { abort } of this.#calls) abort.abort(reason);
  }

  /** Whether all calls ended within the time. */
  async waitUntilIdle(limitMs: number, clock: Clock): Promise<boolean> {
    if (this.#calls.size === 0) return true;
    const giveUp = new AbortController();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const onIdle = () => resolve(true);
    this.#waiting.add(onIdle);
    const limit = clock.sleep(limitMs, giveUp.signal).then(
      () => false,
      () => true,
    );
    const isIdle = await Promise.race([promise, limit]);
    this.#waiting.delete(onIdle);
    giveUp.abort();
    return isIdle;
  }
}
