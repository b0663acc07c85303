import type { Clock } from "@stowage/machinery";

export interface BidTiming {
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
}

/** 2^52 base delays are beyond any maximum. */
const MAXIMUM_DOUBLINGS = 52;

/**
 * How long to wait before trying to take a claim: each time twice as long, up to the maximum, and less by a random part of the base
 * delay. At the first try that is anything from none to the whole, so that of many nodes few try at once.
 */
export function bidDelayMs(failures: number, { baseDelayMs, maxDelayMs }: BidTiming, random: number): number {
  const delayMs = Math.min(maxDelayMs, baseDelayMs * 2 ** Math.min(failures, MAXIMUM_DOUBLINGS));
  return Math.max(0, delayMs - random * baseDelayMs);
}

interface Bid {
  readonly uid: string;
  readonly failures: number;
  readonly dueMs: number;
}

export interface BidsDeps extends BidTiming {
  readonly clock: Clock;
  random(): number;
}

/** The claims that this node waits to take, by key, and when it may try. */
export class Bids {
  readonly #deps: BidsDeps;
  readonly #bids = new Map<string, Bid>();

  constructor(deps: BidsDeps) {
    this.#deps = deps;
  }

  get size(): number {
    return this.#bids.size;
  }

  /** 0 when it is time. A claim that was deleted and made anew under the same name waits from the beginning. */
  waitMs(key: string, uid: string): number {
    const known = this.#bids.get(key);
    const bid = known?.uid === uid ? known : this.#place(key, uid, 0);
    return Math.max(0, bid.dueMs - this.#deps.clock.monotonicMs());
  }

  /** The try did not succeed. Gives the wait until the next. */
  fail(key: string, uid: string): number {
    const known = this.#bids.get(key);
    this.#place(key, uid, known?.uid === uid ? known.failures + 1 : 1);
    return this.waitMs(key, uid);
  }

  forget(key: string): void {
    this.#bids.delete(key);
  }

  #place(key: string, uid: string, failures: number): Bid {
    const delayMs = bidDelayMs(failures, this.#deps, this.#deps.random());
    const bid = { uid, failures, dueMs: this.#deps.clock.monotonicMs() + delayMs };
    this.#bids.set(key, bid);
    return bid;
  }
}
