/** Items in the order in which they come, for one reader. */
export class ItemQueue<Item> implements AsyncIterable<Item> {
  readonly #items: Item[] = [];
  #wake: (() => void) | undefined;
  #isEnded = false;

  push(item: Item): void {
    if (this.#isEnded) return;
    this.#items.push(item);
    this.#wake?.();
  }

  /** What is there already is still read. */
  end(): void {
    this.#isEnded = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    for (;;) {
      const item = this.#items.shift();
      if (item !== undefined) yield item;
      else if (this.#isEnded) return;
      else {
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#wake = resolve;
        await promise;
      }
    }
  }
}
