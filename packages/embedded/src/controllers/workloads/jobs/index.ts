/**
 * Jobs. `job-controller.ts`: what happens to one; `job-sync.ts`: one pass over it; `job-tracking.ts`: how Pods come into its counts;
 * `job-world.ts`: what the copies do not show yet. Pure: `job-facts.ts` (what there is, and what it ends with), `job-pods.ts` (what comes
 * and goes), `job-indexes.ts`, `job-backoff.ts`, `job-conditions.ts`, `pod-failure-policy.ts`. `ttl-controller.ts`: when it goes.
 */
export { makeJobController } from "./job-controller.ts";
export { makeTtlController } from "./ttl-controller.ts";
