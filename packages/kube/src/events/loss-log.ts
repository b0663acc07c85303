import type { Event, Logger } from "@stowage/machinery";

/** Tells of events that were not even queued. Of a full queue once, however many are lost to it. */
export interface LossLog {
  filtered(event: Event): void;
  late(event: Event): void;
  overflowed(event: Event): void;
  accepted(): void;
}

export function createLossLog(logger: Logger): LossLog {
  let overflowed = 0;
  return {
    filtered: (event) => logger.debug(describe(event), "an event is held back: its object has had too many"),
    late: (event) => logger.info(describe(event), "an event is dropped: it was recorded after the end"),
    overflowed(event) {
      overflowed++;
      if (overflowed === 1) logger.warn(describe(event), "events are dropped: too many wait to be sent");
    },
    accepted() {
      if (overflowed > 0) logger.warn({ count: overflowed }, "events are accepted again; so many were dropped");
      overflowed = 0;
    },
  };
}

function describe({ involvedObject: { kind, namespace, name }, reason, message }: Event): object {
  return { object: { kind, namespace, name }, reason, message };
}
