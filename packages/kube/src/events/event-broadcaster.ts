import { type Clock, type Logger, silentLogger, systemClock } from "@stowage/machinery";
import type { KubeClient } from "../client/kube-client.ts";
import type { CorrelatorLimits } from "./correlator-limits.ts";
import { createEventIntake } from "./event-intake.ts";
import { EventQueue } from "./event-queue.ts";
import type { EventRecorder, EventSource } from "./event-recorder.ts";
import { runEventQueue } from "./run-event-queue.ts";

const QUEUE_LIMIT = 1000;
const DRAIN_TIMEOUT_MS = 5_000;

export interface EventBroadcasterDeps {
  /** Whoever it speaks as must be allowed to create and to patch events. */
  readonly client: Pick<KubeClient, "create" | "patch">;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly limits?: CorrelatorLimits;
  /** How many events wait at most; when there are more, the newest are dropped. */
  readonly queueLimit?: number;
  /** How long what still waits may take when `run` is told to stop. */
  readonly drainTimeoutMs?: number;
  readonly random?: () => number;
  /** The first events wait for so long: what a process has to do at its start comes before what it has to tell. */
  readonly holdMs?: number;
}

/** Takes the events of a process to the server. One for all its recorders, so that they share the limits. */
export interface EventBroadcaster {
  recorder(source: EventSource): EventRecorder;
  /** Sends events until the signal is aborted, then those that wait as far as time allows. Once only. */
  run(signal: AbortSignal): Promise<void>;
  /** Waits until nothing that was recorded before is still to be sent; false when time ran out. Needs `run`. */
  flush(timeoutMs: number): Promise<boolean>;
}

export function createEventBroadcaster(deps: EventBroadcasterDeps): EventBroadcaster {
  const { client, clock = systemClock, logger = silentLogger, random } = deps;
  const { queueLimit = QUEUE_LIMIT, drainTimeoutMs = DRAIN_TIMEOUT_MS, holdMs = 0 } = deps;
  const queue = new EventQueue(queueLimit);
  const intake = createEventIntake({ queue, clock, logger, limits: deps.limits, random });
  let hasRun = false;
  const hurry = new AbortController();
  return {
    recorder: (source) => ({
      event(subject, type, reason, message) {
        try {
          intake.record({ subject, type, reason, message, source });
        } catch (error) {
          logger.error({ reason, message, error }, "an event could not be recorded");
        }
      },
    }),
    async run(signal) {
      if (hasRun) throw new TypeError("the event broadcaster runs already, or has ended");
      hasRun = true;
      if (holdMs > 0) await clock.sleep(holdMs, AbortSignal.any([signal, hurry.signal])).catch(() => {});
      await runEventQueue({ queue, client, clock, logger, random, drainTimeoutMs }, signal);
      intake.close();
    },
    flush(timeoutMs) {
      hurry.abort();
      return within(clock, timeoutMs, queue.whenSettled());
    },
  };
}

async function within(clock: Clock, timeoutMs: number, work: Promise<void>): Promise<boolean> {
  const finished = new AbortController();
  const timeout = clock.sleep(timeoutMs, finished.signal).then(
    () => false,
    () => false,
  );
  return await Promise.race([work.then(() => true), timeout]).finally(() => finished.abort());
}
