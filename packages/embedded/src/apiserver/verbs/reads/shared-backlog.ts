/** A client that has no more than this waiting keeps up, whatever the others do. */
const fairShare = 100;

/** What waits for all clients together. Thousands that do not read must not fill the memory, though each alone were no harm. */
export class SharedBacklog {
  readonly #maximumLines: number;
  #lines = 0;

  constructor(maximumLines = 1_000_000) {
    this.#maximumLines = maximumLines;
  }

  get lines(): number {
    return this.#lines;
  }

  /** By so many lines; fewer when it is negative. */
  change(by: number): void {
    this.#lines += by;
  }

  /** Whether a client with so many lines waiting has to go. */
  isTooMuch(waiting: number): boolean {
    return this.#lines >= this.#maximumLines && waiting >= fairShare;
  }
}
