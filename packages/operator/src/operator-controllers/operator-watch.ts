import type { Informer } from "@stowage/kube";
import type { KubernetesObject } from "@stowage/machinery";
import type { Controller, WatchFilter } from "../controllers/index.ts";

/** Controllers of operators have one key: whatever happens, all of it is looked at. */
export const operatorKey = "key";

/** Oddly long: whoever waits for longer should rather end with a message than wait on. */
const SYNC_TIMEOUT_MS = 600_000;

/** Something whose changes make a controller sync. */
export interface OperatorWatch {
  feed(controller: Controller): void;
  /** Resolves when everything is known that there is. */
  waitForSync(signal: AbortSignal): Promise<void>;
}

export interface OperatorWatchFilter<T> extends WatchFilter<T> {
  /** Objects that matter; all when left out. */
  readonly matches?: (object: T) => boolean;
}

export function watching<T extends KubernetesObject>(
  informer: Informer<T>,
  { matches = () => true, isNews }: OperatorWatchFilter<T> = {},
): OperatorWatch {
  return {
    waitForSync: (signal) => informer.waitForSync({ timeoutMs: SYNC_TIMEOUT_MS, signal }),
    feed: (controller) =>
      controller.watch(informer, (object) => (matches(object) ? [operatorKey] : []), isNews && { isNews }),
  };
}
