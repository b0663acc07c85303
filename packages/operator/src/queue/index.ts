/**
 * The work queue: `work-queue.ts` is its face, `delayed-keys.ts` holds what waits for its time, `item-backoff.ts` says how long
 * a key that failed has to wait.
 */
export { type BackoffLimits, createItemBackoff, type ItemBackoff } from "./item-backoff.ts";
export { createWorkQueue, type QueueObserver, type WorkQueue, type WorkQueueDeps } from "./work-queue.ts";
