import type { Clock } from "@stowage/machinery";

/** Holds requests back. `acquire` settles when the request may go, or rejects with the signal's reason. */
export interface RateLimiter {
  acquire(signal?: AbortSignal): Promise<void>;
  /** Told how each request ended; undefined when no answer came. */
  answered?(status: number | undefined): void;
}

export const unlimited: RateLimiter = { acquire: async () => {} };

export interface TokenBucketOptions {
  /** Requests a second in the long run. */
  readonly qps: number;
  /** Requests at once after a quiet time. */
  readonly burst: number;
  readonly clock: Clock;
}

/** First come, first served: each request takes the next free place in time, so nobody starves. */
export function createTokenBucket({ qps, burst, clock }: TokenBucketOptions): RateLimiter {
  const intervalMs = 1000 / qps;
  // The bucket is full when this lies `burst` places in the past; each request moves it one place on.
  let nextFreeMs = Number.NEGATIVE_INFINITY;
  return {
    async acquire(signal) {
      signal?.throwIfAborted();
      const nowMs = clock.monotonicMs();
      nextFreeMs = Math.max(nextFreeMs, nowMs - burst * intervalMs) + intervalMs;
      const waitMs = nextFreeMs - nowMs;
      if (waitMs <= 0) return;
      try {
        await clock.sleep(waitMs, signal);
      } catch (error) {
        nextFreeMs -= intervalMs;
        throw error;
      }
    },
  };
}
