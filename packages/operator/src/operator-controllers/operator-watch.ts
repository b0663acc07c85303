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

/**
 * No watch but an order: a controller that is given this begins when each of the others has looked once. What they make is then there
 * already, and what is made of it need not be changed at once. `isKnown` may wait for the local copies to have it.
 */
export function startingAfter(
  others: readonly { readonly firstLook: Promise<void> }[],
  isKnown: (signal: AbortSignal) => Promise<void> = async () => {},
): OperatorWatch {
  return {
    feed() {},
    async waitForSync(signal) {
      const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
      const onAbort = () => stop();
      signal.addEventListener("abort", onAbort, { once: true });
      if (signal.aborted) stop();
      await Promise.race([Promise.all(others.map(({ firstLook }) => firstLook)), stopped]);
      signal.removeEventListener("abort", onAbort);
      await isKnown(signal);
    },
  };
}
