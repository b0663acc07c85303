import type { EventQueue } from "./event-queue.ts";
import { type EventSenderDeps, type SenderSignals, sendEvent } from "./event-sender.ts";

export interface RunEventQueueDeps extends EventSenderDeps {
  readonly queue: EventQueue;
  readonly drainTimeoutMs: number;
}

/** Events on their way at once. One at a time falls behind a busy controller until the queue is full. */
const SENDERS = 4;

/** Sends what comes, of each object one after the other; after `stopping` what is left, until the time for that is over. */
export async function runEventQueue(deps: RunEventQueueDeps, stopping: AbortSignal): Promise<void> {
  const { queue, clock, logger, drainTimeoutMs } = deps;
  const ended = new AbortController();
  const drained = new AbortController();
  const onStop = () => {
    queue.wake();
    void clock.sleep(drainTimeoutMs, drained.signal).then(
      () => {
        ended.abort();
        queue.wake();
      },
      () => {}, // All was sent in time.
    );
  };
  if (stopping.aborted) onStop();
  else stopping.addEventListener("abort", onStop, { once: true });
  const signals = { stopping, ended: ended.signal };
  await Promise.all(Array.from({ length: SENDERS }, () => runSender(deps, signals)));
  drained.abort();
  const count = queue.clear();
  if (count > 0) logger.warn({ count }, "events are dropped: there was no time left to send them");
}

async function runSender(deps: RunEventQueueDeps, signals: SenderSignals): Promise<void> {
  const { queue } = deps;
  while (!signals.ended.aborted) {
    const next = queue.take();
    if (next !== undefined) {
      await sendEvent(deps, next, signals);
      queue.settle(next);
    } else if (signals.stopping.aborted && queue.size === 0) return;
    else await queue.woken();
  }
}
