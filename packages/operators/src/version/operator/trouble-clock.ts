import type { Clock } from "@stowage/machinery";
import type { Trouble } from "../apply/index.ts";

/** Since when each has kept the payload from being done, whatever its reason. */
export class TroubleClock {
  readonly #clock: Clock;
  readonly #sinceMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** All that there are now; what is not among them is over. */
  note(troubles: readonly Trouble[]): void {
    const names = new Set(troubles.map(({ name }) => name));
    for (const name of this.#sinceMs.keys()) if (!names.has(name)) this.#sinceMs.delete(name);
    for (const name of names) {
      if (!this.#sinceMs.has(name)) this.#sinceMs.set(name, this.#clock.monotonicMs());
    }
  }

  /** Of the longest. */
  ageMs(): number {
    const nowMs = this.#clock.monotonicMs();
    return nowMs - Math.min(nowMs, ...this.#sinceMs.values());
  }

  reset(): void {
    this.#sinceMs.clear();
  }
}
