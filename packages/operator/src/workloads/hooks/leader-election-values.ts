import { withPlaceholders } from "../../assets/index.ts";
import type { WorkloadManifestHook } from "./hook-context.ts";

export interface LeaderElectionValues {
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

/** Four tries in a lease, 30 s of difference between clocks, and 78 s without an API server: what OpenShift recommends to all. */
export const platformLeaderElection: LeaderElectionValues = {
  leaseDurationMs: 137_000,
  renewDeadlineMs: 107_000,
  retryPeriodMs: 26_000,
};

/** Fewer requests, for a cluster of one small node. Sidecars have never used it. */
export const singleNodeLeaderElection: LeaderElectionValues = {
  leaseDurationMs: 270_000,
  renewDeadlineMs: 240_000,
  retryPeriodMs: 60_000,
};

/** WithLeaderElectionReplacer: `LEADER_ELECTION_{LEASE_DURATION,RENEW_DEADLINE,RETRY_PERIOD}`, in whole seconds. */
export function withLeaderElection(values: LeaderElectionValues = platformLeaderElection): WorkloadManifestHook {
  const seconds = (durationMs: number) => `${Math.trunc(durationMs / 1000)}s`;
  return withPlaceholders({
    LEADER_ELECTION_LEASE_DURATION: seconds(values.leaseDurationMs),
    LEADER_ELECTION_RENEW_DEADLINE: seconds(values.renewDeadlineMs),
    LEADER_ELECTION_RETRY_PERIOD: seconds(values.retryPeriodMs),
  });
}
