import type { KubernetesObject, WorkQueue } from "@stowage/machinery";
import { type Informer, objectKey } from "../informers/index.ts";

/** Which updates count. */
export interface WatchFilter<T> {
  /** False: the update tells this controller nothing, often because it made it itself. */
  isNews?(object: T, previous: T): boolean;
}

interface Feed<T> extends WatchFilter<T> {
  readonly keysOf: ((object: T) => readonly string[]) | undefined;
}

/** Without `keysOf` and `isNews` the informer need not decode the objects: keys are enough. */
export function feed<T extends KubernetesObject>(queue: WorkQueue, informer: Informer<T>, options: Feed<T>): void {
  const { isNews = () => true } = options;
  if (options.keysOf === undefined && options.isNews === undefined) {
    informer.addHandler({ onKey: (key) => queue.add(key) });
    return;
  }
  const keysOf = options.keysOf ?? ((object: T) => [objectKey(object)]);
  const add = (object: T) => {
    for (const key of keysOf(object)) queue.add(key);
  };
  informer.addHandler({
    onAdd(object, { isInInitialList }) {
      if (isInInitialList) for (const key of keysOf(object)) queue.addInBackground(key);
      else add(object);
    },
    onUpdate(object, previous) {
      const isResync = object === previous;
      if (isResync) for (const key of keysOf(object)) queue.addInBackground(key);
      else if (isNews(object, previous))
        new Set([...keysOf(previous), ...keysOf(object)]).forEach((key) => queue.add(key));
    },
    onDelete: add,
  });
}
