import type { Clock } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { createTokenBucket } from "./rate-limiter.ts";

/** Tells at which time each request was let go. */
function limited(options: { qps: number; burst: number }) {
  let nowMs = 0;
  const clock: Clock = {
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    // A wait is noted and ends at once: the limiter hands out places in time, it does not poll.
    sleep: async (durationMs, signal) => {
      signal?.throwIfAborted();
      waits.push(durationMs);
    },
  };
  const waits: number[] = [];
  const bucket = createTokenBucket({ ...options, clock });
  return { bucket, waits, advance: (ms: number) => (nowMs += ms) };
}

describe("a rate limit", () => {
  it("lets a burst go at once, and then so many a second, in order", async () => {
    const { bucket, waits } = limited({ qps: 10, burst: 3 });
    for (let request = 0; request < 6; request++) await bucket.acquire();
    expect(waits).toEqual([100, 200, 300]);
  });

  it("fills up again while nothing is sent, but not beyond the burst", async () => {
    const { bucket, waits, advance } = limited({ qps: 10, burst: 2 });
    await bucket.acquire();
    await bucket.acquire();
    advance(60_000);
    for (let request = 0; request < 3; request++) await bucket.acquire();
    expect(waits).toEqual([100]);
  });

  it("gives the place of an aborted request to the next", async () => {
    const { bucket, waits } = limited({ qps: 10, burst: 1 });
    await bucket.acquire();
    await expect(bucket.acquire(AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
    await bucket.acquire();
    expect(waits).toEqual([100]);
  });
});
