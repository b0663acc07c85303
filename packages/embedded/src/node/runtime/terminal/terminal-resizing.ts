import { setImmediate } from "node:timers/promises";
import type { TerminalSize } from "../container.ts";

/** Sets the sizes of a terminal one after the other, while somebody types. */
export class TerminalResizing {
  #pending: Promise<void> | undefined;

  async follow(sizes: AsyncIterable<TerminalSize>, set: (size: TerminalSize) => Promise<void>): Promise<void> {
    for await (const size of sizes) {
      this.#pending = set(size);
      try {
        await this.#pending;
      } finally {
        this.#pending = undefined;
      }
    }
  }

  /** What is typed, each piece when the sizes are set that were told before it: kubectl tells two when it attaches, of which the second counts. */
  async *afterSizes(typed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const bytes of typed) {
      do {
        await this.#pending;
        // Another one may be there already, and has not been begun with.
        await setImmediate();
      } while (this.#pending !== undefined);
      yield bytes;
    }
  }
}
