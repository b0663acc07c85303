/**
 * One of several replicas acts at a time. `leader-election.ts` is the public face; the lease is held by a thread of its own
 * (`election-worker.ts`, `elector.ts`), so that renewals go out while the main thread is busy. What may be done about a lease is
 * decided in `lease-decision.ts`, how long leadership is believed in `validity.ts`.
 */
export type { LeaseRef } from "./held-lease.ts";
export { type LeaderElectionOptions, type Leadership, runAsLeader } from "./leader-election.ts";
export { defaultLeaseTiming, type LeaseTiming } from "./lease-timing.ts";
