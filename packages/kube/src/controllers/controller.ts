import {
  type Clock,
  createWorkQueue,
  type KubernetesObject,
  type Logger,
  type QueueObserver,
  type QueueWork,
  runQueueWorkers,
  type WorkQueue,
} from "@stowage/machinery";
import type { Informer } from "../informers/index.ts";
import { feed, type WatchFilter } from "./queue-feed.ts";

/** Of all the queues of a process. */
export interface QueueMetrics {
  /** Makes the queue with this observer, then tells where its present state is read from. */
  observer(queueName: string): QueueObserver;
  /** Queues of one name are counted together. */
  follow(queueName: string, queue: WorkQueue): void;
}

export interface ControllerDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: QueueMetrics;
}

export type ControllerSpec = QueueWork;

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
  const { clock, logger, metrics } = deps;
  const queue = createWorkQueue({ clock, observer: metrics?.observer(spec.name) });
  metrics?.follow(spec.name, queue);
  const watched: (() => Iterable<string>)[] = [];
  const watchedKeys = () => watched.flatMap((keys) => [...keys()]);
  return {
    name: spec.name,
    queue,
    watch(informer, keysOf, filter) {
      watched.push(() => (keysOf === undefined ? informer.objects.keys() : informer.objects.list().flatMap(keysOf)));
      feed(queue, informer, { keysOf, ...filter });
    },
    run: (signal) => runQueueWorkers({ clock, logger, queue, watchedKeys }, spec, signal),
  };
}
