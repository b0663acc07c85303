import type { Event } from "@stowage/machinery";
import type { CorrelatorLimits } from "./correlator-limits.ts";
import { LruMap } from "./lru-map.ts";

/** An Event as it should be on the server. */
export interface CorrelatedEvent {
  readonly event: Event;
  /** It should be there already, and only be brought up to date. */
  readonly isRepeat: boolean;
}

interface Counted {
  readonly name: string | undefined;
  readonly firstTimestamp: string | undefined;
  readonly count: number;
  readonly atMs: number;
}

/** Counts an event that happens again on the Event object of the first time. */
export function createRepeatCounter({ repeatWindowMs, memory }: Pick<CorrelatorLimits, "repeatWindowMs" | "memory">): {
  count(event: Event, key: string, atMs: number): CorrelatedEvent;
} {
  const counted = new LruMap<string, Counted>(memory);
  return {
    count(event, key, atMs) {
      const last = counted.get(key);
      const isRepeat = last !== undefined && atMs - last.atMs <= repeatWindowMs;
      const { name, firstTimestamp, count } = isRepeat
        ? { ...last, count: last.count + 1 }
        : { name: event.metadata.name, firstTimestamp: event.firstTimestamp, count: 1 };
      counted.set(key, { name, firstTimestamp, count, atMs });
      return { event: { ...event, metadata: { ...event.metadata, name }, firstTimestamp, count }, isRepeat };
    },
  };
}
