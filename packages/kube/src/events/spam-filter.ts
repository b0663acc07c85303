import type { CorrelatorLimits } from "./correlator-limits.ts";
import { LruMap } from "./lru-map.ts";

interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

/** A bucket of events for each object, which fills up again slowly. */
export function createSpamFilter({
  spamBurst,
  spamRefillMs,
  memory,
}: Pick<CorrelatorLimits, "spamBurst" | "spamRefillMs" | "memory">): {
  allows(key: string, atMs: number): boolean;
} {
  const buckets = new LruMap<string, Bucket>(memory);
  return {
    allows(key, atMs) {
      const last = buckets.get(key) ?? { tokens: spamBurst, atMs };
      const tokens = Math.min(spamBurst, last.tokens + (atMs - last.atMs) / spamRefillMs);
      const isAllowed = tokens >= 1;
      buckets.set(key, { tokens: isAllowed ? tokens - 1 : tokens, atMs });
      return isAllowed;
    },
  };
}
