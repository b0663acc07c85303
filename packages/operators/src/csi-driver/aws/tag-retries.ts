import type { Clock } from "@stowage/machinery";

interface Retry {
  readonly waitMs: number;
  readonly atMs: number;
  readonly isAlone: boolean;
}

/**
 * When volumes are tried again that could not be tagged: after ten seconds, and then twice as long each time. One that may have been
 * the reason why others could not be tagged either is tried alone from then on.
 */
export class TagRetries {
  static readonly firstWaitMs = 10_000;
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #longestWaitMs: number;
  readonly #retries = new Map<string, Retry>();

  constructor(clock: Pick<Clock, "monotonicMs">, longestWaitMs: number) {
    this.#clock = clock;
    this.#longestWaitMs = longestWaitMs;
  }

  failed(name: string, isAlone: boolean): void {
    const last = this.#retries.get(name);
    // Not doubled when it is told apart from the others of its batch: alone it may well succeed.
    const isSame = last?.isAlone === isAlone;
    const waitMs = isSame ? Math.min(last.waitMs * 2, this.#longestWaitMs) : TagRetries.firstWaitMs;
    this.#retries.set(name, { waitMs, atMs: this.#clock.monotonicMs() + waitMs, isAlone });
  }

  /** Not to be looked at for so long, for there is nothing to be done. */
  rest(name: string, waitMs: number): void {
    this.#retries.set(name, { waitMs, atMs: this.#clock.monotonicMs() + waitMs, isAlone: true });
  }

  isDue(name: string): boolean {
    return (this.#retries.get(name)?.atMs ?? 0) <= this.#clock.monotonicMs();
  }

  isAlone(name: string): boolean {
    return this.#retries.get(name)?.isAlone ?? false;
  }

  /** What is tagged, or gone, is not waited for. */
  keepOnly(names: ReadonlySet<string>): void {
    for (const name of this.#retries.keys()) if (!names.has(name)) this.#retries.delete(name);
  }

  forget(name: string): void {
    this.#retries.delete(name);
  }

  /** Undefined when nothing waits. */
  nextInMs(): number | undefined {
    if (this.#retries.size === 0) return undefined;
    const next = Math.min(...[...this.#retries.values()].map(({ atMs }) => atMs));
    return Math.max(0, next - this.#clock.monotonicMs());
  }
}
