import type { Clock } from "@stowage/machinery";

export interface Asking<A> {
  /** What the answer depends on, of what can be watched. It may hold passwords: it stays here. */
  readonly key: string;
  ask(): Promise<A>;
  isGood(answer: A): boolean;
}

const SHORTEST_WAIT_MS = 60_000;

/**
 * When vCenter is asked again: at once for what the answer depends on, and not for every other word that somebody writes. After a good
 * answer it waits the longest; after another one a minute, and twice as long each time.
 */
export class AskingSchedule<A> {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #longestWaitMs: number;
  #last: { readonly answer: A; readonly key: string; readonly nextAtMs: number } | undefined;
  #waitMs = SHORTEST_WAIT_MS;

  constructor(clock: Pick<Clock, "monotonicMs">, longestWaitMs: number) {
    this.#clock = clock;
    this.#longestWaitMs = longestWaitMs;
  }

  async latest({ key, ask, isGood }: Asking<A>): Promise<{ readonly answer: A; readonly nextInMs: number }> {
    const nowMs = this.#clock.monotonicMs();
    const last = this.#last;
    if (last?.key === key && last.nextAtMs > nowMs) return { answer: last.answer, nextInMs: last.nextAtMs - nowMs };
    const answer = await ask();
    this.#waitMs = isGood(answer) ? this.#longestWaitMs : this.#nextWaitMs(last?.key === key);
    this.#last = { answer, key, nextAtMs: nowMs + this.#waitMs };
    return { answer, nextInMs: this.#waitMs };
  }

  #nextWaitMs(isSame: boolean): number {
    return isSame ? Math.min(this.#waitMs * 2, this.#longestWaitMs) : SHORTEST_WAIT_MS;
  }
}
