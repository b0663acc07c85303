import type { Clock } from "@stowage/machinery";

export interface TickDeps {
  readonly clock: Clock;
  readonly agentStartedMs: number;
  readonly random?: () => number;
}

/** When a probe has its turn: every period, and whenever somebody wants to know at once. */
export class ProbeTicks {
  readonly #deps: TickDeps;
  readonly #periodMs: number;
  #nextMs = 0;
  #isTriggered = false;
  #wakeUp: () => void = () => {};

  constructor(deps: TickDeps, periodMs: number) {
    this.#deps = deps;
    this.#periodMs = periodMs;
  }

  /** After the start of the agent all probes begin at once, and must not all go on together. */
  async begin(signal: AbortSignal): Promise<void> {
    const { clock, agentStartedMs, random = Math.random } = this.#deps;
    if (clock.nowMs() - agentStartedMs < this.#periodMs) {
      await clock.sleep(random() * this.#periodMs, signal).catch(() => {});
    }
    this.#nextMs = clock.nowMs() + this.#periodMs;
  }

  /** Resolves when it is the next turn, or when the signal is aborted. */
  async next(signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    const awake = Promise.withResolvers<void>();
    this.#wakeUp = awake.resolve;
    if (!this.#isTriggered) {
      const over = new AbortController();
      const either = AbortSignal.any([signal, over.signal]);
      const waitMs = Math.max(0, this.#nextMs - clock.nowMs());
      await Promise.race([awake.promise, clock.sleep(waitMs, either).catch(() => {})]);
      over.abort();
    }
    // Whoever was triggered counts from then on; a turn that was missed is not made up for.
    const fromMs = this.#isTriggered ? clock.nowMs() : Math.max(this.#nextMs, clock.nowMs() - this.#periodMs);
    this.#nextMs = fromMs + this.#periodMs;
    this.#isTriggered = false;
  }

  trigger(): void {
    this.#isTriggered = true;
    this.#wakeUp();
  }
}
