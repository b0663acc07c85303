import type { OperatorController } from "@stowage/operator";

/** Controllers of which some begin later than others. One that fails ends all. */
export class ControllerGroup {
  readonly #signal: AbortSignal;
  readonly #failed = new AbortController();
  readonly #running = new Set<Promise<void>>();

  constructor(signal: AbortSignal) {
    this.#signal = AbortSignal.any([signal, this.#failed.signal]);
  }

  start({ run }: Pick<OperatorController, "run">): void {
    const running = run(this.#signal).catch((error: unknown) => this.#failed.abort(error));
    this.#running.add(running);
    void running.then(() => this.#running.delete(running));
  }

  /** Settles when all have; rejects with what the first failed with. */
  async ended(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
    if (this.#failed.signal.aborted) throw this.#failed.signal.reason;
  }
}
