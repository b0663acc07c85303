import type { Clock } from "@stowage/machinery";

export interface Answer<Value> {
  readonly value: Value;
  /** How long it may be given again without asking. */
  readonly goodForMs: number;
}

interface KeptAnswer<Value> {
  readonly value: Value;
  readonly untilMs: number;
}

/** What was answered a moment ago, for so many questions and no more; who asks the same at once waits for the one answer. */
export class AnswerCache<Value> {
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #kept = new Map<string, KeptAnswer<Value>>();
  readonly #underWay = new Map<string, Promise<Value>>();

  constructor(clock: Clock, limit: number) {
    this.#clock = clock;
    this.#limit = limit;
  }

  get size(): number {
    return this.#kept.size;
  }

  /** A question that fails is asked again by the next who has it. */
  answer(key: string, ask: () => Promise<Answer<Value>>): Promise<Value> {
    const kept = this.#find(key);
    if (kept !== undefined) return Promise.resolve(kept.value);
    const underWay = this.#underWay.get(key) ?? this.#ask(key, ask);
    this.#underWay.set(key, underWay);
    return underWay;
  }

  async #ask(key: string, ask: () => Promise<Answer<Value>>): Promise<Value> {
    try {
      const { value, goodForMs } = await ask();
      this.#keep(key, { value, untilMs: this.#clock.monotonicMs() + goodForMs });
      return value;
    } finally {
      this.#underWay.delete(key);
    }
  }

  #find(key: string): KeptAnswer<Value> | undefined {
    const kept = this.#kept.get(key);
    this.#kept.delete(key);
    if (kept === undefined || kept.untilMs <= this.#clock.monotonicMs()) return undefined;
    this.#kept.set(key, kept); // The last in line is the last to be forgotten.
    return kept;
  }

  #keep(key: string, answer: KeptAnswer<Value>): void {
    this.#kept.set(key, answer);
    if (this.#kept.size <= this.#limit) return;
    for (const longestUnused of this.#kept.keys()) {
      this.#kept.delete(longestUnused);
      return;
    }
  }
}
