import { hasErrorCode, type Lease, type Logger, systemClock } from "@stowage/machinery";
import type { KubeClient } from "../client/kube-client.ts";
import { HeldLease, type LeaseRef } from "./held-lease.ts";
import { companionTiming, type LeaseTiming } from "./lease-timing.ts";
import { type ReleaseBell, startReleaseBell } from "./release-bell.ts";
import { type Instant, now, type Validity } from "./validity.ts";

export interface ElectorDeps {
  readonly client: KubeClient;
  readonly logger: Logger;
  readonly lease: LeaseRef;
  /** Taken after the lease, in this order; leading means holding all of them. */
  readonly companions: readonly LeaseRef[];
  readonly identity: string;
  readonly timing: LeaseTiming;
  readonly validity: Validity;
  /** False when the thread that acts has hung: then the lease is allowed to run out. */
  readonly isActorAlive: () => boolean;
}

/**
 * Contends for the leases and, once it has them all, keeps them until the signal is aborted or they are lost. It only keeps
 * `validity` true to what the server has confirmed; acting on it is the caller's.
 */
export interface Elector {
  /** Resolves with the number of the term when all leases are held. */
  acquire(signal: AbortSignal): Promise<number>;
  /** Renews until aborted. Rejects when leadership is lost. */
  keep(signal: AbortSignal): Promise<void>;
  /** Gives the leases up at once, so that another need not wait for them to run out. */
  release(): Promise<void>;
}

interface Contended {
  readonly ref: LeaseRef;
  readonly lease: HeldLease;
}

export function createElector(deps: ElectorDeps): Elector {
  const { client, identity, timing, validity } = deps;
  const contended = (ref: LeaseRef, leaseDurationMs: number, mainLease?: string): Contended => ({
    ref,
    lease: new HeldLease({ client, ref, holder: { identity, leaseDurationMs, mainLease } }),
  });
  const main = contended(deps.lease, timing.leaseDurationMs);
  const mainLease = `${deps.lease.namespace}/${deps.lease.name}`;
  const companions = deps.companions.map((ref) => contended(ref, companionTiming.leaseDurationMs, mainLease));
  const held = { main: main.lease, companions: companions.map(({ lease }) => lease) };
  return {
    async acquire(signal) {
      let { term, sentAt } = await acquireOne(deps, main, { signal, alreadyHeld: [] });
      for (const companion of companions) await acquireOne(deps, companion, { signal, alreadyHeld: [main.lease] });
      // It was taken some time ago, and must be fresh for the term to begin.
      if (companions.length > 0) sentAt = await main.lease.renew({ signal, timeoutMs: timing.renewDeadlineMs });
      validity.extend(sentAt, timing.renewDeadlineMs);
      return term;
    },
    keep: (signal) => keepAll(deps, held, signal),
    async release() {
      validity.end();
      const all = [held.main, ...held.companions];
      await Promise.all(all.map((lease) => lease.release({ timeoutMs: timing.renewDeadlineMs })));
    },
  };
}

interface Waiting {
  readonly signal: AbortSignal;
  /** Leases taken before this one, which must not run out while it waits. */
  readonly alreadyHeld: readonly HeldLease[];
}

async function acquireOne(deps: ElectorDeps, { ref, lease }: Contended, { signal, alreadyHeld }: Waiting) {
  const onSeen = (seen: Lease) => lease.see(seen);
  // Only for those that have to wait: most do not.
  let bell: ReleaseBell | undefined;
  let lastHolder: string | undefined;
  try {
    for (;;) {
      let waitMs = jittered(deps.timing.retryPeriodMs);
      try {
        const outcome = await lease.tryAcquire(signal);
        if (outcome.acquired) return outcome;
        if (outcome.holder !== lastHolder) deps.logger.info({ lease: ref, holder: outcome.holder }, "another leads");
        lastHolder = outcome.holder;
        waitMs = Math.min(waitMs, outcome.retryAfterMs ?? waitMs);
      } catch (error) {
        signal.throwIfAborted();
        deps.logger.warn({ lease: ref, error }, "the lease could not be read or taken");
      }
      bell ??= startReleaseBell(deps.client, ref, { logger: deps.logger, signal, onSeen });
      await bell.wait(waitMs, signal);
      for (const earlier of alreadyHeld) await earlier.renew({ signal, timeoutMs: deps.timing.renewDeadlineMs });
    }
  } finally {
    bell?.stop();
  }
}

interface HeldLeases {
  readonly main: HeldLease;
  readonly companions: readonly HeldLease[];
}

async function keepAll(deps: ElectorDeps, held: HeldLeases, signal: AbortSignal): Promise<void> {
  const { timing, validity, logger } = deps;
  const companionsDue = createDueTimer(companionTiming.renewIntervalMs);
  let lastError: unknown;
  let pauseMs = timing.renewIntervalMs ?? timing.retryPeriodMs;
  for (;;) {
    const leftMs = validity.remainingMs(now());
    if (leftMs <= 0) {
      validity.end();
      throw lastError ?? new Error(`not renewed within ${timing.renewDeadlineMs} ms`);
    }
    await systemClock.sleep(Math.min(jittered(pauseMs), leftMs), signal).catch(() => {});
    if (signal.aborted) return;
    if (!deps.isActorAlive()) {
      lastError = new Error("the main thread has hung: the lease is left to run out");
      continue;
    }
    try {
      const timeoutMs = Math.max(1, validity.remainingMs(now()));
      const areCompanionsDue = companionsDue.isDue();
      const due = areCompanionsDue ? [held.main, ...held.companions] : [held.main];
      validity.extend(await renewAll(due, { signal, timeoutMs }), timing.renewDeadlineMs);
      if (areCompanionsDue) companionsDue.reset();
      pauseMs = timing.renewIntervalMs ?? timing.retryPeriodMs;
    } catch (error) {
      if (signal.aborted) return;
      lastError = error;
      pauseMs = timing.retryPeriodMs;
      logger.warn({ error, leftMs: validity.remainingMs(now()) }, "the lease could not be renewed");
      if (hasErrorCode(error, "LEADERSHIP_LOST")) validity.end();
    }
  }
}

/** When the earliest of the renewing requests was sent: from then on the whole set is safe. */
async function renewAll(
  held: readonly HeldLease[],
  options: { signal: AbortSignal; timeoutMs: number },
): Promise<Instant> {
  const renewals = await Promise.all(held.map((lease) => lease.renew(options)));
  return renewals.reduce((a, b) => (a.monotonicNs < b.monotonicNs ? a : b));
}

function jittered(ms: number): number {
  return ms * (1 + Math.random() * 0.2);
}

/** By the monotonic clock, since the last reset. */
function createDueTimer(intervalMs: number): { isDue(): boolean; reset(): void } {
  let sinceMs = systemClock.monotonicMs();
  return {
    isDue: () => systemClock.monotonicMs() - sinceMs >= intervalMs,
    reset() {
      sinceMs = systemClock.monotonicMs();
    },
  };
}
