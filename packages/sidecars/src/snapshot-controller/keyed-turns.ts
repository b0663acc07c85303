/** Has those who ask for the same key wait for one another. */
export class KeyedTurns {
  readonly #last = new Map<string, Promise<unknown>>();

  async inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key) ?? Promise.resolve();
    // Whether the one before succeeded is its own affair.
    const mine = before.then(work, work);
    this.#last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }
}
