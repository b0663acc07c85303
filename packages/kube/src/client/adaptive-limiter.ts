import type { Clock } from "@stowage/machinery";
import type { RateLimiter } from "./rate-limiter.ts";

export interface AdaptiveLimiterOptions {
  readonly clock: Clock;
  /** Never slower than this, so that a server's bad day does not stop everything. */
  readonly minimumQps?: number;
}

const TOO_MANY_REQUESTS = 429;
/** A server that is too busy says so to every request under way: together they count once. */
const CUT_INTERVAL_MS = 1_000;
const CUT_FACTOR = 0.7;
const GROWTH_PER_SECOND = 1.25;
/** Grown to this many times the rate at which the server last complained, the limit has no use any more. */
const LIFT_FACTOR = 8;
const RATE_WINDOW_MS = 2_000;
/** From less time than this no rate can be told. */
const SHORTEST_SPAN_MS = 250;
/** Where a server complains before anything is known of it. */
const FIRST_GUESS_QPS = 20;

/**
 * As fast as the server takes it. There is no limit until the server answers 429; then requests go out at less than the rate it took
 * just before, and faster again little by little, until the limit is lifted or the server complains again.
 */
export function createAdaptiveLimiter({ clock, minimumQps = 2 }: AdaptiveLimiterOptions): RateLimiter {
  const rate = new RecentRate(clock);
  const waiting = new WaitingLine();
  let limit: { qps: number; readonly cutMs: number; readonly liftQps: number } | undefined;
  let grownMs = 0;

  const grow = (nowMs: number) => {
    if (limit === undefined) return;
    limit.qps *= GROWTH_PER_SECOND ** ((nowMs - grownMs) / 1000);
    grownMs = nowMs;
    if (limit.qps >= limit.liftQps) limit = undefined;
  };
  /** Worked out when it is due: a place in time given out beforehand would be wrong as soon as the limit changes. */
  const pause = async () => {
    grow(clock.monotonicMs());
    if (limit !== undefined) await clock.sleep(1000 / limit.qps);
  };

  return {
    async acquire(signal) {
      signal?.throwIfAborted();
      grow(clock.monotonicMs());
      if (limit !== undefined || waiting.size > 0) await waiting.join(pause, signal);
    },
    answered(status) {
      if (status !== TOO_MANY_REQUESTS) return rate.count();
      const nowMs = clock.monotonicMs();
      if (limit !== undefined && nowMs - limit.cutMs < CUT_INTERVAL_MS) return;
      grow(nowMs);
      const takenQps = Math.max(minimumQps, Math.min(rate.perSecond(), limit?.qps ?? Number.POSITIVE_INFINITY));
      limit = { qps: Math.max(minimumQps, takenQps * CUT_FACTOR), cutMs: nowMs, liftQps: takenQps * LIFT_FACTOR };
      grownMs = nowMs;
    },
  };
}

/** Requests that wait for their turn: first come, first served, one after each pause. */
class WaitingLine {
  readonly #waiting = new Set<() => void>();
  #isMoving = false;

  get size(): number {
    return this.#waiting.size;
  }

  join(pause: () => Promise<void>, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(go);
        signal?.removeEventListener("abort", giveUp);
      };
      const giveUp = () => {
        leave();
        reject(signal?.reason);
      };
      const go = () => {
        leave();
        resolve();
      };
      this.#waiting.add(go);
      signal?.addEventListener("abort", giveUp, { once: true });
      void this.#move(pause);
    });
  }

  async #move(pause: () => Promise<void>): Promise<void> {
    if (this.#isMoving) return;
    this.#isMoving = true;
    while (this.#waiting.size > 0) {
      await pause();
      const [next] = this.#waiting;
      next?.();
    }
    this.#isMoving = false;
  }
}

/** How many requests a second the server has taken lately. */
class RecentRate {
  readonly #clock: Clock;
  /** When each of the latest was answered, oldest first. */
  readonly #answeredMs: number[] = [];
  #first = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  count(): void {
    const nowMs = this.#clock.monotonicMs();
    this.#answeredMs.push(nowMs);
    this.#forgetBefore(nowMs - RATE_WINDOW_MS);
  }

  perSecond(): number {
    const nowMs = this.#clock.monotonicMs();
    this.#forgetBefore(nowMs - RATE_WINDOW_MS);
    const oldestMs = this.#answeredMs[this.#first];
    if (oldestMs === undefined) return FIRST_GUESS_QPS;
    const spanMs = Math.max(SHORTEST_SPAN_MS, nowMs - oldestMs);
    return ((this.#answeredMs.length - this.#first) / spanMs) * 1000;
  }

  #forgetBefore(limitMs: number): void {
    while ((this.#answeredMs[this.#first] ?? Number.POSITIVE_INFINITY) < limitMs) this.#first++;
    if (this.#first < 1000) return;
    this.#answeredMs.splice(0, this.#first);
    this.#first = 0;
  }
}
