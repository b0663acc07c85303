import type { Clock } from "../clock.ts";
import type { Logger } from "../logger.ts";
import { type BackoffLimits, createItemBackoff, type ItemBackoff } from "./item-backoff.ts";
import type { SyncOutcome } from "./sync-outcome.ts";
import { TerminalError } from "./terminal-error.ts";
import type { WorkQueue } from "./work-queue.ts";

export interface SyncContext {
  /** Aborted when the workers are told to stop; work under way may finish, but should not begin anything long. */
  readonly signal: AbortSignal;
  /** How many times in a row this key has failed before. */
  readonly failures: number;
}

export interface QueueWork {
  /** Of its queue too, in logs and metrics: dashboards rely on it. */
  readonly name: string;
  readonly workers: number;
  readonly backoff: BackoffLimits;
  /** Looks at everything that is watched again this often, changed or not; never when left out or 0. */
  readonly resyncMs?: number;
  /** Brings about what must be for one key. Never called twice at once for the same key. */
  sync(key: string, context: SyncContext): Promise<SyncOutcome | void>;
}

export interface QueueWorkersDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly queue: WorkQueue;
  /** Every key that a resync is to look at again. */
  readonly watchedKeys: () => Iterable<string>;
}

interface Loop extends QueueWorkersDeps {
  readonly spec: QueueWork;
  readonly backoff: ItemBackoff;
}

/**
 * Takes keys from a queue and syncs them, each until it succeeds, until the signal is aborted. Settles when what was under way has
 * ended.
 */
export async function runQueueWorkers(deps: QueueWorkersDeps, spec: QueueWork, signal: AbortSignal): Promise<void> {
  const stop = () => deps.queue.close();
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  const loop = { ...deps, spec, backoff: createItemBackoff(spec.backoff) };
  const workers = Array.from({ length: spec.workers }, () => work(loop, signal));
  await Promise.all([...workers, resync(loop, signal)]);
}

/** Not by the informer's own resync: controllers that share one want it at different times. */
async function resync({ clock, queue, spec, watchedKeys }: Loop, signal: AbortSignal): Promise<void> {
  const { resyncMs = 0 } = spec;
  if (resyncMs <= 0) return;
  for (;;) {
    await clock.sleep(resyncMs, signal).catch(() => {});
    if (signal.aborted) return;
    for (const key of watchedKeys()) queue.addInBackground(key);
  }
}

async function work(loop: Loop, signal: AbortSignal): Promise<void> {
  const { queue } = loop;
  for (let key = await queue.take(); key !== undefined; key = await queue.take()) {
    try {
      await syncOnce(loop, key, signal);
    } finally {
      queue.done(key);
    }
  }
}

/** The one place where the outcome of a sync becomes a log line and a next time. */
async function syncOnce({ spec, queue, backoff, logger }: Loop, key: string, signal: AbortSignal): Promise<void> {
  const about = { controller: spec.name, key };
  const failures = backoff.failures(key);
  try {
    const outcome = await spec.sync(key, { signal, failures });
    if (outcome !== undefined && "retry" in outcome) return queue.retryAfter(key, backoff.nextMs(key));
    backoff.forget(key);
    if (outcome !== undefined) queue.addAfter(key, outcome.requeueAfterMs);
  } catch (error) {
    if (signal.aborted) {
      logger.debug({ ...about, error }, "stopped in the middle");
    } else if (error instanceof TerminalError) {
      backoff.forget(key);
      logger.error({ ...about, error }, "failed for good; nothing is tried until something changes");
    } else {
      const retryMs = backoff.nextMs(key);
      logger.warn({ ...about, error, failures: failures + 1, retryMs }, "failed and will be tried again");
      queue.retryAfter(key, retryMs);
    }
  }
}
