import type { RateLimiter } from "@stowage/kube";
import { StowageError } from "@stowage/machinery";

/** Stands before every act: nothing is written and no driver is called by a process that does not lead any more. */
export interface Fence {
  /** Throws when this process must not act. */
  check(): void;
  /** From now on, only while this is true. */
  guard(isLeader: () => boolean): void;
}

export function createFence(): Fence {
  let mayAct = () => true;
  return {
    check() {
      if (!mayAct())
        throw new StowageError("LEADERSHIP_LOST", "this process does not lead any more, so it does not act");
    },
    guard(isLeader) {
      mayAct = isLeader;
    },
  };
}

/** Requests wait for their turn, and are looked at when it comes: leadership may have gone meanwhile. */
export function fenced(limiter: RateLimiter, fence: Fence): RateLimiter {
  return {
    async acquire(signal) {
      await limiter.acquire(signal);
      fence.check();
    },
    answered: (status) => limiter.answered?.(status),
  };
}
