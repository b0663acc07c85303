/** How much may wait for a client that does not read. */
export interface StreamLimits {
  readonly maximumLines: number;
  readonly maximumCharacters: number;
}

const defaultLimits: StreamLimits = { maximumLines: 10_000, maximumCharacters: 16 * 1024 * 1024 };

/**
 * Lines for one client, at its own pace: first what there is already, made only when it is about to be sent, then what is pushed.
 * A client that falls too far behind is dropped; it can go on from the last line that it has read.
 */
export class WatchStream implements AsyncIterable<string> {
  readonly #limits: StreamLimits;
  readonly #ended = new AbortController();
  #backlog: Iterator<string> | undefined;
  #lines: string[] = [];
  /** Of `#lines`, how many have been taken. */
  #taken = 0;
  #characters = 0;
  #wake: () => void = () => {};

  constructor(backlog: Iterable<string>, limits: StreamLimits = defaultLimits) {
    this.#backlog = backlog[Symbol.iterator]();
    this.#limits = limits;
  }

  /** Aborted at the end, however it comes. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** Whether everything so far is on its way. */
  get isIdle(): boolean {
    return this.#backlog === undefined && this.#lines.length === 0;
  }

  push(line: string): void {
    if (this.ended.aborted) return;
    const { maximumLines, maximumCharacters } = this.#limits;
    const waiting = this.#lines.length - this.#taken;
    if (waiting >= maximumLines || (waiting > 0 && this.#characters + line.length > maximumCharacters)) {
      return this.drop();
    }
    this.#lines.push(line);
    this.#characters += line.length;
    this.#wake();
  }

  /** After what is waiting. */
  end(): void {
    this.#ended.abort();
    this.#wake();
  }

  /** At once. */
  drop(): void {
    this.#backlog = undefined;
    this.#clear();
    this.end();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    try {
      for (;;) {
        const line = this.#take();
        if (line !== undefined) yield line;
        else if (this.ended.aborted) return;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.drop();
    }
  }

  #take(): string | undefined {
    const made = this.#backlog?.next();
    if (made !== undefined && made.done !== true) return made.value;
    this.#backlog = undefined;
    const line = this.#lines[this.#taken];
    if (line === undefined) return undefined;
    this.#taken += 1;
    this.#characters -= line.length;
    if (this.#taken === this.#lines.length) this.#clear();
    return line;
  }

  #clear(): void {
    this.#lines = [];
    this.#taken = 0;
    this.#characters = 0;
  }
}
