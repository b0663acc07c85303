import type { Clock } from "@stowage/machinery";

/** The nodes of one zone that are to be given up, one after another, no faster than the state of the zone allows. */
export class ZoneEvictions {
  readonly #clock: Clock;
  readonly #waiting = new Set<string>();
  #nextMs = 0;
  #ratePerSecond: number;

  constructor(clock: Clock, ratePerSecond: number) {
    this.#clock = clock;
    this.#ratePerSecond = ratePerSecond;
  }

  add(nodeName: string): void {
    this.#waiting.add(nodeName);
  }

  remove(nodeName: string): void {
    this.#waiting.delete(nodeName);
  }

  setRate(ratePerSecond: number): void {
    this.#ratePerSecond = ratePerSecond;
  }

  /** The node whose turn it is, if one's turn has come. */
  take(): string | undefined {
    const [first] = this.#waiting;
    const nowMs = this.#clock.monotonicMs();
    if (first === undefined || this.#ratePerSecond === 0 || nowMs < this.#nextMs) return undefined;
    this.#waiting.delete(first);
    this.#nextMs = nowMs + 1000 / this.#ratePerSecond;
    return first;
  }
}
