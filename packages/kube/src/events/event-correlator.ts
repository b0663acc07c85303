import type { Event } from "@stowage/machinery";
import { type CorrelatorLimits, defaultCorrelatorLimits } from "./correlator-limits.ts";
import { subjectKey } from "./event-keys.ts";
import { type CorrelatedEvent, createRepeatCounter } from "./repeat-counter.ts";
import { createSimilarEvents } from "./similar-events.ts";
import { createSpamFilter } from "./spam-filter.ts";

export interface EventCorrelator {
  /** What becomes of an event that happened once; undefined when its object has had too many. `atMs` never goes back. */
  correlate(event: Event, atMs: number): CorrelatedEvent | undefined;
}

/** Makes few events of many, as client-go does, so that neither the server nor people drown in them. Decides, sends nothing. */
export function createEventCorrelator(limits: CorrelatorLimits = defaultCorrelatorLimits): EventCorrelator {
  const similar = createSimilarEvents(limits);
  const repeats = createRepeatCounter(limits);
  const spam = createSpamFilter(limits);
  return {
    correlate(event, atMs) {
      const { event: combined, key } = similar.combine(event, atMs);
      // What the filter holds back is counted nevertheless: the next that passes carries the true number.
      const correlated = repeats.count(combined, key, atMs);
      return spam.allows(subjectKey(event), atMs) ? correlated : undefined;
    },
  };
}
