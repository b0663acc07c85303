/** One operation at a time for each key; the others wait their turn, so that a retry meets the finished work. */
export class KeyedLock {
  readonly #tails = new Map<string, Promise<void>>();

  /** Holds all keys while the work runs; they are taken in one order, so that two operations cannot wait for each other. */
  async run<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const releases: (() => void)[] = [];
    try {
      for (const key of [...new Set(keys)].sort()) releases.push(await this.#take(key));
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
