import type { Clock, Logger } from "@stowage/machinery";
import type { CorrelatorLimits } from "./correlator-limits.ts";
import { createEventCorrelator } from "./event-correlator.ts";
import { eventObject, type Occurrence } from "./event-object.ts";
import type { EventQueue } from "./event-queue.ts";
import { createEventTimes } from "./event-times.ts";
import { createLossLog } from "./loss-log.ts";

export interface EventIntakeDeps {
  readonly queue: EventQueue;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits?: CorrelatorLimits;
  readonly random?: () => number;
}

/** The way of an occurrence into the queue. Correlated before it waits, so that one busy object cannot fill the queue. */
export interface EventIntake {
  record(occurrence: Omit<Occurrence, "timeNs">): void;
  /** Nobody takes from the queue any more. */
  close(): void;
}

export function createEventIntake({ queue, clock, logger, limits, random }: EventIntakeDeps): EventIntake {
  const correlator = createEventCorrelator(limits);
  const nextTimeNs = createEventTimes(clock, random);
  const losses = createLossLog(logger);
  let isClosed = false;
  return {
    record(occurrence) {
      const event = eventObject({ ...occurrence, timeNs: nextTimeNs() });
      if (isClosed) return losses.late(event);
      const correlated = correlator.correlate(event, clock.monotonicMs());
      if (correlated === undefined) losses.filtered(event);
      else if (queue.put(correlated)) losses.accepted();
      else losses.overflowed(event);
    },
    close() {
      isClosed = true;
    },
  };
}
