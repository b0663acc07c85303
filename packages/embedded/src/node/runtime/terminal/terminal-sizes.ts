import { type Clock, systemClock } from "@stowage/machinery";
import type { TerminalSize } from "../container.ts";

/** How long a size is waited for that may not come: clients tell theirs at once, if they know it. */
const FIRST_SIZE_MS = 3_000;
/** What the kernel has room for. */
const MOST = 0xffff;

/** The sizes of one terminal: the first, which may have come long before the terminal was there, and those after it. */
export class TerminalSizes {
  readonly #sizes: AsyncIterator<TerminalSize>;
  readonly #clock: Clock;
  #upcoming: Promise<IteratorResult<TerminalSize>>;

  constructor(sizes: AsyncIterable<TerminalSize>, clock = systemClock) {
    this.#sizes = usable(sizes);
    this.#clock = clock;
    this.#upcoming = this.#sizes.next();
    // Whoever asks for it hears of a failure; perhaps nobody does.
    this.#upcoming.catch(() => {});
  }

  /** Undefined when nobody tells one. */
  async first(): Promise<TerminalSize | undefined> {
    const waiting = new AbortController();
    const late = this.#clock.sleep(FIRST_SIZE_MS, waiting.signal).then(
      () => undefined,
      () => undefined,
    );
    try {
      const first = await Promise.race([this.#upcoming, late]);
      if (first === undefined || first.done === true) return undefined;
      this.#upcoming = this.#sizes.next();
      return first.value;
    } finally {
      waiting.abort();
    }
  }

  async *later(): AsyncGenerator<TerminalSize> {
    for (let size = await this.#upcoming; size.done !== true; size = await this.#sizes.next()) yield size.value;
  }
}

async function* usable(sizes: AsyncIterable<TerminalSize>): AsyncGenerator<TerminalSize> {
  for await (const { columns, rows } of sizes) {
    if (isLength(columns) && isLength(rows) && columns + rows > 0) yield { columns, rows };
  }
}

/** Of a terminal that is a width alone, the height is zero. */
function isLength(length: number): boolean {
  return Number.isInteger(length) && length >= 0 && length <= MOST;
}
