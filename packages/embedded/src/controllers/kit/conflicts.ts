import { isConflict, isNotFound } from "@stowage/kube";
import type { SyncContext, SyncOutcome } from "@stowage/machinery";

type Sync = (key: string, context: SyncContext) => Promise<SyncOutcome | void>;

/** A conflict says that the copies are behind: they will have caught up in a moment, and nobody needs to hear of it. */
export function retryOnConflict(sync: Sync): Sync {
  return async (key, context) => {
    try {
      return await sync(key, context);
    } catch (error) {
      if (isConflict(error)) return { retry: true };
      throw error;
    }
  };
}

/** For whoever writes nothing but the object itself, which may have gone meanwhile: then there is nothing left to do. */
export function whileItLasts(sync: Sync): Sync {
  return retryOnConflict(async (key, context) => {
    try {
      return await sync(key, context);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  });
}

/** As long as those of kube-controller-manager wait after a failure. */
export const queueBackoff = { initialMs: 5, maximumMs: 1_000_000 } as const;
