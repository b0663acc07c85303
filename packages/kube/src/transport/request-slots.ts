/** Lets so many pass at once and no more; the others wait, and go in the order in which they came. */
export class RequestSlots {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves with what gives the slot back, to be called once; rejects when the signal is aborted before. */
  async take(signal: AbortSignal | undefined): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#wait(signal);
    return () => this.#giveBack();
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = () => {
      this.#waiting.delete(go);
      reject(signal?.reason);
    };
    const go = () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    };
    this.#waiting.add(go);
    signal?.addEventListener("abort", onAbort, { once: true });
    return promise;
  }

  /** Handed on directly: were it free for a moment, one that has just come could go first. */
  #giveBack(): void {
    for (const next of this.#waiting) {
      this.#waiting.delete(next);
      return next();
    }
    this.#free++;
  }
}
