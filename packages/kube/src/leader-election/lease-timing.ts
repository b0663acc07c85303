import { StowageError } from "@stowage/machinery";

/** How long a lease lasts and how often it is renewed. The defaults are those that Kubernetes' own components use. */
export interface LeaseTiming {
  /** A lease that was not renewed for this long may be taken by another. Whole seconds: the API stores it so. */
  readonly leaseDurationMs: number;
  /** The holder stops leading when it could not renew for this long; the rest of the lease's time is the safety margin. */
  readonly renewDeadlineMs: number;
  /** Between two attempts to get the lease, or to renew it after a failure. */
  readonly retryPeriodMs: number;
  /** Between two renewals that succeed; the retry period when left out. */
  readonly renewIntervalMs?: number;
}

export const defaultLeaseTiming: LeaseTiming = {
  leaseDurationMs: 15_000,
  renewDeadlineMs: 10_000,
  retryPeriodMs: 2_000,
};

/**
 * Of leases that are held beside the main one. Other programs go by the duration that the Lease itself states, so a long one is held
 * with few writes; ours need not wait for it, see `decideOnLease`.
 */
export const companionTiming = { leaseDurationMs: 120_000, renewIntervalMs: 60_000 } as const;

export function validateLeaseTiming(timing: LeaseTiming): void {
  const { leaseDurationMs, renewDeadlineMs, retryPeriodMs, renewIntervalMs = retryPeriodMs } = timing;
  const fail = (message: string) => {
    throw new StowageError("LEASE_TIMING_INVALID", `leader election: ${message}`);
  };
  if (leaseDurationMs < 1000 || leaseDurationMs % 1000 !== 0) {
    fail(`the lease duration of ${leaseDurationMs} ms is not a whole number of seconds`);
  }
  if (renewDeadlineMs >= leaseDurationMs) {
    fail(
      `the renew deadline of ${renewDeadlineMs} ms must be shorter than the lease duration of ${leaseDurationMs} ms`,
    );
  }
  for (const [name, valueMs] of Object.entries({ "retry period": retryPeriodMs, "renew interval": renewIntervalMs })) {
    if (valueMs <= 0) fail(`the ${name} of ${valueMs} ms must be positive`);
    if (valueMs * 1.2 >= renewDeadlineMs) {
      fail(
        `the ${name} of ${valueMs} ms must leave room for another try within the renew deadline of ${renewDeadlineMs} ms`,
      );
    }
  }
}
