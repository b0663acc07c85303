/**
 * The work queue: `work-queue.ts` is its face, `delayed-keys.ts` holds what waits for its time, `item-backoff.ts` says how long
 * a key that failed has to wait. `queue-workers.ts`: the loop that takes keys, calls `sync`, and turns its outcome into a log line and a
 * next time. `sync-outcome.ts`: what a `sync` may say beside having succeeded. `terminal-error.ts`: a failure that trying again would
 * not mend.
 */
export { type BackoffLimits, createItemBackoff, type ItemBackoff } from "./item-backoff.ts";
export { type QueueWork, type QueueWorkersDeps, runQueueWorkers, type SyncContext } from "./queue-workers.ts";
export type { SyncOutcome } from "./sync-outcome.ts";
export { TerminalError } from "./terminal-error.ts";
export { createWorkQueue, type QueueObserver, type WorkQueue, type WorkQueueDeps } from "./work-queue.ts";
