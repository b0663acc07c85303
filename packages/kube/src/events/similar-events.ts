import type { Event } from "@stowage/machinery";
import type { CorrelatorLimits } from "./correlator-limits.ts";
import { identityKey, similarityKey } from "./event-keys.ts";
import { LruMap } from "./lru-map.ts";
import { truncateMessage } from "./message-limit.ts";

/** As Kubernetes' own components write it: people search for it. */
const COMBINED_PREFIX = "(combined from similar events): ";

export interface KeyedEvent {
  readonly event: Event;
  /** Events with the same key are counted together. */
  readonly key: string;
}

interface Seen {
  readonly messages: Set<string>;
  readonly atMs: number;
}

/** Turns events that differ in nothing but the message into one, when there are too many different messages. */
export function createSimilarEvents({
  similarLimit,
  similarWindowMs,
  memory,
}: Pick<CorrelatorLimits, "similarLimit" | "similarWindowMs" | "memory">): {
  combine(event: Event, atMs: number): KeyedEvent;
} {
  const seen = new LruMap<string, Seen>(memory);
  return {
    combine(event, atMs) {
      const key = similarityKey(event);
      const last = seen.get(key);
      const isRecent = last !== undefined && atMs - last.atMs <= similarWindowMs;
      const messages = isRecent ? last.messages : new Set<string>();
      const isNew = !messages.has(event.message ?? "");
      const isOverLimit = isNew && messages.size >= similarLimit;
      if (isNew && !isOverLimit) messages.add(event.message ?? "");
      seen.set(key, { messages, atMs });
      if (!isOverLimit) return { event, key: identityKey(event) };
      return { event: { ...event, message: truncateMessage(COMBINED_PREFIX + (event.message ?? "")) }, key };
    },
  };
}
