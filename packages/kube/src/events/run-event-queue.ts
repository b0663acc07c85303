import type { EventQueue } from "./event-queue.ts";
import { type EventSenderDeps, sendEvent } from "./event-sender.ts";

export interface RunEventQueueDeps extends EventSenderDeps {
  readonly queue: EventQueue;
  readonly drainTimeoutMs: number;
}

/** Sends what comes, one after the other; after `stopping` what is left, until the time for that is over. */
export async function runEventQueue(deps: RunEventQueueDeps, stopping: AbortSignal): Promise<void> {
  const { queue, clock, logger, drainTimeoutMs } = deps;
  const ended = new AbortController();
  const drained = new AbortController();
  const onStop = () => {
    queue.wake();
    void clock.sleep(drainTimeoutMs, drained.signal).then(
      () => ended.abort(),
      () => {}, // All was sent in time.
    );
  };
  if (stopping.aborted) onStop();
  else stopping.addEventListener("abort", onStop, { once: true });
  while (!ended.signal.aborted) {
    const next = queue.take();
    if (next !== undefined) {
      await sendEvent(deps, next, { stopping, ended: ended.signal });
      queue.settle();
    } else if (stopping.aborted) break;
    else await queue.woken();
  }
  drained.abort();
  if (queue.size > 0) logger.warn({ count: queue.size }, "events are dropped: there was no time left to send them");
  while (queue.take() !== undefined) queue.settle();
}
