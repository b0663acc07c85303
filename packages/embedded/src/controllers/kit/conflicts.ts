import { isConflict } from "@stowage/kube";
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

/** As long as those of kube-controller-manager wait after a failure. */
export const queueBackoff = { initialMs: 5, maximumMs: 1_000_000 } as const;
