import type { Informer } from "@stowage/kube";
import type { Clock, KubernetesObject, Logger } from "@stowage/machinery";
import type { QueueMetrics } from "../metrics/index.ts";
import {
  type BackoffLimits,
  createItemBackoff,
  createWorkQueue,
  type ItemBackoff,
  type WorkQueue,
} from "../queue/index.ts";
import { feed, type WatchFilter } from "./queue-feed.ts";
import type { SyncOutcome } from "./sync-outcome.ts";
import { TerminalError } from "./terminal-error.ts";

export interface ControllerDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: QueueMetrics;
}

export interface SyncContext {
  /** Aborted when the controller is told to stop; work under way may finish, but should not begin anything long. */
  readonly signal: AbortSignal;
  /** How many times in a row this key has failed before. */
  readonly failures: number;
}

export interface ControllerSpec {
  /** Of its queue too, in logs and metrics: dashboards rely on it. */
  readonly name: string;
  readonly workers: number;
  readonly backoff: BackoffLimits;
  /** Looks at everything that is watched again this often, changed or not; never when left out or 0. */
  readonly resyncMs?: number;
  /** Brings about what must be for one key. Never called twice at once for the same key. */
  sync(key: string, context: SyncContext): Promise<SyncOutcome | void>;
}

/** Takes keys from a queue and syncs them, each until it succeeds. */
export interface Controller {
  readonly name: string;
  readonly queue: WorkQueue;
  /** Every change of an object adds its own key, or those that `keysOf` makes of it. */
  watch<T extends KubernetesObject>(
    informer: Informer<T>,
    keysOf?: (object: T) => readonly string[],
    filter?: WatchFilter<T>,
  ): void;
  /** Works until the signal is aborted; settles when what was under way has ended. */
  run(signal: AbortSignal): Promise<void>;
}

export function createController(deps: ControllerDeps, spec: ControllerSpec): Controller {
  const { clock, metrics } = deps;
  const queue = createWorkQueue({ clock, observer: metrics?.observer(spec.name) });
  metrics?.follow(spec.name, queue);
  const backoff = createItemBackoff(spec.backoff);
  const watched: (() => Iterable<string>)[] = [];
  return {
    name: spec.name,
    queue,
    watch(informer, keysOf, filter) {
      watched.push(() => (keysOf === undefined ? informer.objects.keys() : informer.objects.list().flatMap(keysOf)));
      feed(queue, informer, { keysOf, ...filter });
    },
    async run(signal) {
      const stop = () => queue.close();
      if (signal.aborted) stop();
      signal.addEventListener("abort", stop, { once: true });
      const loop = { ...deps, spec, queue, backoff };
      const workers = Array.from({ length: spec.workers }, () => work(loop, signal));
      await Promise.all([...workers, resync(loop, watched, signal)]);
    },
  };
}

/** Not by the informer's own resync: controllers that share one want it at different times. */
async function resync(
  { clock, queue, spec }: Loop,
  watched: readonly (() => Iterable<string>)[],
  signal: AbortSignal,
): Promise<void> {
  const { resyncMs = 0 } = spec;
  if (resyncMs <= 0) return;
  for (;;) {
    await clock.sleep(resyncMs, signal).catch(() => {});
    if (signal.aborted) return;
    for (const keys of watched) for (const key of keys()) queue.addInBackground(key);
  }
}

interface Loop extends ControllerDeps {
  readonly spec: ControllerSpec;
  readonly queue: WorkQueue;
  readonly backoff: ItemBackoff;
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
