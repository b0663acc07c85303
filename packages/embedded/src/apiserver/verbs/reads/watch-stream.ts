import { SharedBacklog } from "./shared-backlog.ts";

/** How much may wait for a client that does not read. */
export interface StreamLimits {
  readonly maximumLines: number;
  readonly maximumCharacters: number;
}

export interface StreamOptions {
  /** Enough when left out. */
  readonly limits?: StreamLimits | undefined;
  /** Of all streams of a server. */
  readonly shared?: SharedBacklog;
  /** What becomes of the first line. */
  readonly first?: ((line: string) => string) | undefined;
}

const defaultLimits: StreamLimits = { maximumLines: 10_000, maximumCharacters: 16 * 1024 * 1024 };

const forgottenAtOnce = 1024;

/**
 * Lines for one client, at its own pace: first what there is already, made only when it is about to be sent, then what is pushed.
 * A client that falls too far behind is dropped; it can go on from the last line that it has read.
 */
export class WatchStream implements AsyncIterable<string> {
  readonly #limits: StreamLimits;
  readonly #shared: SharedBacklog;
  readonly #ended = new AbortController();
  #backlog: Iterator<string> | undefined;
  #lines: string[] = [];
  /** Of `#lines`, how many have been taken. */
  #taken = 0;
  #characters = 0;
  #wake: () => void = () => {};
  /** What becomes of the next line, until one has been taken. */
  #first: ((line: string) => string) | undefined;

  constructor(backlog: Iterable<string>, { limits, shared, first }: StreamOptions = {}) {
    this.#backlog = backlog[Symbol.iterator]();
    this.#limits = limits ?? defaultLimits;
    this.#shared = shared ?? new SharedBacklog();
    this.#first = first;
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
    const isTooMuch = waiting >= maximumLines || (waiting > 0 && this.#characters + line.length > maximumCharacters);
    if (isTooMuch || this.#shared.isTooMuch(waiting)) return this.drop();
    this.#lines.push(line);
    this.#shared.change(1);
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
        if (line !== undefined) yield this.#sent(line);
        else if (this.ended.aborted) return;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.drop();
    }
  }

  #sent(line: string): string {
    const first = this.#first;
    this.#first = undefined;
    return first === undefined ? line : first(line);
  }

  #take(): string | undefined {
    const made = this.#backlog?.next();
    if (made !== undefined && made.done !== true) return made.value;
    this.#backlog = undefined;
    const line = this.#lines[this.#taken];
    if (line === undefined) return undefined;
    this.#taken += 1;
    this.#shared.change(-1);
    this.#characters -= line.length;
    if (this.#taken === this.#lines.length) this.#clear();
    // A client that is always a little behind would otherwise keep all that it has ever read.
    else if (this.#taken >= forgottenAtOnce && this.#taken * 2 > this.#lines.length) {
      this.#lines = this.#lines.slice(this.#taken);
      this.#taken = 0;
    }
    return line;
  }

  #clear(): void {
    this.#shared.change(this.#taken - this.#lines.length);
    this.#lines = [];
    this.#taken = 0;
    this.#characters = 0;
  }
}
