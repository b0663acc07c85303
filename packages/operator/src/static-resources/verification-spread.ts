import type { Clock } from "@stowage/machinery";

interface Entry {
  readonly content: string;
  readonly verifiedMs: number;
}

/**
 * Which objects are due for a look at the server. New, changed and failed ones at once; the others in turn, the one that was not
 * looked at for longest first, as many as the time since then calls for. So everything is seen once in `periodMs`, without a burst.
 */
export class VerificationSpread {
  readonly #clock: Clock;
  readonly #periodMs: number;
  readonly #entries = new Map<string, Entry>();
  #spreadMs: number;

  constructor(clock: Clock, periodMs: number) {
    this.#clock = clock;
    this.#periodMs = periodMs;
    this.#spreadMs = clock.monotonicMs();
  }

  /** Of all objects, by key and content, the keys that are due. */
  due(objects: ReadonlyMap<string, string>): Set<string> {
    for (const key of this.#entries.keys()) if (!objects.has(key)) this.#entries.delete(key);
    const isFresh = ([key, content]: readonly [string, string]) => this.#entries.get(key)?.content === content;
    const due = new Set([...objects].filter((each) => !isFresh(each)).map(([key]) => key));
    const nowMs = this.#clock.monotonicMs();
    const turns = Math.min(objects.size, Math.floor((objects.size * (nowMs - this.#spreadMs)) / this.#periodMs));
    if (turns > 0) this.#spreadMs = nowMs;
    const oldest = [...this.#entries].toSorted(([, a], [, b]) => a.verifiedMs - b.verifiedMs);
    for (const [key] of oldest.slice(0, turns)) due.add(key);
    return due;
  }

  verified(key: string, content: string): void {
    this.#entries.set(key, { content, verifiedMs: this.#clock.monotonicMs() });
  }

  failed(key: string): void {
    this.#entries.delete(key);
  }
}
