import type { Event } from "@stowage/machinery";
import type { CorrelatorLimits } from "./correlator-limits.ts";
import { identityKey, messageKey, similarityKey } from "./event-keys.ts";
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
  /** By their keys; a handful at most. */
  readonly messages: readonly string[];
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
      const message = messageKey(event);
      const messages = isRecent ? last.messages : [];
      const isNew = !messages.includes(message);
      const isOverLimit = isNew && messages.length >= similarLimit;
      seen.set(key, { messages: isNew && !isOverLimit ? [...messages, message] : messages, atMs });
      if (!isOverLimit) return { event, key: identityKey(event) };
      return { event: { ...event, message: truncateMessage(COMBINED_PREFIX + (event.message ?? "")) }, key };
    },
  };
}
