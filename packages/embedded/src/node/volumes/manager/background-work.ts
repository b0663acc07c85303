import type { Logger } from "@stowage/machinery";

/** What must have ended before the agent may. */
export class BackgroundWork {
  readonly #logger: Logger;
  readonly #stopping: AbortSignal;
  readonly #running = new Set<Promise<void>>();

  constructor(logger: Logger, stopping: AbortSignal) {
    this.#logger = logger;
    this.#stopping = stopping;
  }

  /** Nobody else waits for it: what goes wrong is found in the log. */
  begin(work: Promise<unknown>): void {
    const settled = work.then(
      () => {},
      (error: unknown) => {
        if (!this.#stopping.aborted) this.#logger.debug({ error }, "work on volumes has not come to its end");
      },
    );
    this.#running.add(settled);
    void settled.then(() => this.#running.delete(settled));
  }

  /** As `begin`, for whoever waits for it as well. */
  follow<Result>(work: Promise<Result>): Promise<Result> {
    this.begin(work);
    return work;
  }

  async drained(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
