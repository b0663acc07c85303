import { type ConnectionConfig, type KubeClient, type LeaseRef, runAsLeader } from "@stowage/kube";
import type { Logger } from "@stowage/machinery";
import { leadershipMetrics } from "@stowage/operator";
import type { Registry } from "prom-client";
import type { Fence } from "./fence.ts";

/** By the names of their flags; durations are in milliseconds. */
export interface ElectionOptions {
  readonly leaderElection: boolean;
  readonly leaderElectionLeaseDuration: number;
  readonly leaderElectionRenewDeadline: number;
  readonly leaderElectionRetryPeriod: number;
}

export interface Candidate {
  readonly connection: ConnectionConfig;
  /** Elects in the main thread, by this; see `runAsLeader`. */
  readonly electionClient?: KubeClient;
  /** The first is contended for, the others are held beside it. */
  readonly leases: readonly LeaseRef[];
  readonly identity: string;
  readonly options: ElectionOptions;
  readonly fence: Fence;
  readonly health: {
    /** From now on this process should lead: it is unwell when it does not. */
    expectToLead(isLeader: () => boolean): void;
  };
  readonly registry: Registry;
  readonly logger: Logger;
}

/** Acts, once it leads where leader election is on; rejects when leadership is lost. */
export async function actAsLeader(
  candidate: Candidate,
  signal: AbortSignal,
  act: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { options, connection, identity, logger } = candidate;
  const [lease, ...companions] = candidate.leases;
  if (!options.leaderElection || lease === undefined) return act(signal);
  const metrics = leadershipMetrics(candidate.registry);
  metrics.set(lease.name, false);
  const { electionClient: client } = candidate;
  const election = { connection, client, lease, companions, identity, logger, timing: timingOf(options) };
  await runAsLeader(election, signal, async (leadership) => {
    candidate.fence.guard(leadership.isLeader);
    candidate.health.expectToLead(leadership.isLeader);
    metrics.set(lease.name, true);
    await act(leadership.signal);
  });
}

/** Between two renewals that succeed: fewer writes than the originals make, which renew at every try. */
const RENEW_INTERVAL_MS = 6_500;
/** Leaves time for another try before the deadline. */
const LATEST_RENEWAL = 0.65;

function timingOf(options: ElectionOptions) {
  const retryPeriodMs = options.leaderElectionRetryPeriod;
  const renewDeadlineMs = options.leaderElectionRenewDeadline;
  return {
    leaseDurationMs: options.leaderElectionLeaseDuration,
    renewDeadlineMs,
    retryPeriodMs,
    renewIntervalMs: Math.max(retryPeriodMs, Math.min(RENEW_INTERVAL_MS, renewDeadlineMs * LATEST_RENEWAL)),
  };
}
