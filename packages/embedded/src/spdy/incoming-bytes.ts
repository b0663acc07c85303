import { limits } from "./limits.ts";

/** What came on a stream and was not read yet, for one reader. Whoever brings it waits while there is too much. */
export class IncomingBytes implements AsyncIterable<Uint8Array> {
  readonly #pieces: Uint8Array[] = [];
  #length = 0;
  #isEnded = false;
  #isIgnored = false;
  #wakeReader: (() => void) | undefined;
  #wakeWriter: (() => void) | undefined;

  /** Settles when there is room for more; undefined where there is. */
  push(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#isEnded || this.#isIgnored || bytes.length === 0) return undefined;
    this.#pieces.push(bytes);
    this.#length += bytes.length;
    this.#wakeReader?.();
    return this.#isFull() ? this.#room() : undefined;
  }

  /** What is there already is still read. */
  end(): void {
    this.#isEnded = true;
    this.#wakeReader?.();
    this.#wakeWriter?.();
  }

  /** Nobody will read any more: what is there and what comes is dropped. */
  ignore(): void {
    this.#isIgnored = true;
    this.#pieces.length = 0;
    this.#length = 0;
    this.#wakeReader?.();
    this.#wakeWriter?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const piece = this.#pieces.shift();
        if (piece !== undefined) {
          this.#length -= piece.length;
          this.#wakeWriter?.();
          yield piece;
        } else if (this.#isEnded || this.#isIgnored) return;
        else await this.#more();
      }
    } finally {
      this.ignore();
    }
  }

  async #more(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wakeReader = resolve;
    await promise;
  }

  async #room(): Promise<void> {
    while (this.#isFull()) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wakeWriter = resolve;
      await promise;
    }
  }

  #isFull(): boolean {
    return this.#length > limits.unreadBytes && !this.#isEnded;
  }
}
