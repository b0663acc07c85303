import type { Clock } from "@stowage/machinery";

const NANOSECONDS_PER_MS = 1_000_000;

/**
 * Times for events that are never the same twice. The clock knows milliseconds; the digits below count from a random start, so
 * that two processes that tell of the same object at the same moment do not choose the same name.
 */
export function createEventTimes(clock: Clock, random: () => number = Math.random): () => bigint {
  let belowMs = Math.floor(random() * NANOSECONDS_PER_MS);
  return () => {
    belowMs = (belowMs + 1) % NANOSECONDS_PER_MS;
    return BigInt(Math.trunc(clock.nowMs())) * BigInt(NANOSECONDS_PER_MS) + BigInt(belowMs);
  };
}
