/** One piece of work at a time for each key, in the order in which they came. What becomes of one is no matter to the next. */
export class KeyedLock {
  readonly #tails = new Map<string, Promise<void>>();

  /** Holds all keys while the work runs; they are taken in one order, so that no two wait for each other. */
  async run<Result>(keys: string | readonly string[], work: () => Promise<Result>): Promise<Result> {
    const releases: (() => void)[] = [];
    try {
      for (const key of [...new Set([keys].flat())].sort()) releases.push(await this.#take(key));
      return await work();
    } finally {
      for (const release of releases) release();
    }
  }

  async #take(key: string): Promise<() => void> {
    const before = this.#tails.get(key);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#tails.set(key, promise);
    await before;
    return () => {
      if (this.#tails.get(key) === promise) this.#tails.delete(key);
      resolve();
    };
  }
}
