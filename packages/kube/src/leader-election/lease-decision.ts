import type { Lease, LeaseSpec } from "@stowage/machinery";
import { formatMicroTime } from "@stowage/machinery";

/** The state of somebody's lease as it was first seen; it expires by our own clock, never by comparing clocks. */
export interface Observation {
  readonly resourceVersion: string;
  readonly firstSeenMs: number;
}

export type LeaseDecision =
  | { readonly action: "create" }
  | { readonly action: "take" }
  | { readonly action: "wait"; readonly holder: string; readonly remainingMs: number };

/**
 * What a contender that does not hold the lease does about it. A lease under our own identity counts as another's: it may be a
 * second process that was given the same identity by mistake.
 */
export function decideOnLease(
  lease: Lease | undefined,
  observation: Observation | undefined,
  nowMs: number,
): LeaseDecision {
  if (lease === undefined) return { action: "create" };
  const { holderIdentity: holder = "", leaseDurationSeconds = 0 } = lease.spec ?? {};
  if (holder === "") return { action: "take" };
  const seenMs =
    observation !== undefined && observation.resourceVersion === lease.metadata.resourceVersion
      ? observation.firstSeenMs
      : nowMs;
  const remainingMs = seenMs + leaseDurationSeconds * 1000 - nowMs;
  return remainingMs <= 0 ? { action: "take" } : { action: "wait", holder, remainingMs };
}

export function observe(lease: Lease, previous: Observation | undefined, nowMs: number): Observation {
  const resourceVersion = lease.metadata.resourceVersion ?? "";
  return previous?.resourceVersion === resourceVersion ? previous : { resourceVersion, firstSeenMs: nowMs };
}

export interface Holder {
  readonly identity: string;
  readonly leaseDurationMs: number;
}

/** Each change of hands raises `leaseTransitions`: it numbers the terms. */
export function takenSpec(previous: LeaseSpec | undefined, holder: Holder, nowMs: number): LeaseSpec {
  const now = microTime(nowMs);
  return {
    ...previous,
    holderIdentity: holder.identity,
    leaseDurationSeconds: holder.leaseDurationMs / 1000,
    acquireTime: now,
    renewTime: now,
    leaseTransitions: previous === undefined ? 0 : (previous.leaseTransitions ?? 0) + 1,
  };
}

export function renewedSpec(previous: LeaseSpec | undefined, holder: Holder, nowMs: number): LeaseSpec {
  return {
    ...previous,
    holderIdentity: holder.identity,
    leaseDurationSeconds: holder.leaseDurationMs / 1000,
    renewTime: microTime(nowMs),
  };
}

/** Nobody holds it, so that the next contender need not wait. One second, because zero is refused. */
export function releasedSpec(previous: LeaseSpec | undefined, nowMs: number): LeaseSpec {
  const now = microTime(nowMs);
  return { ...previous, holderIdentity: "", leaseDurationSeconds: 1, acquireTime: now, renewTime: now };
}

function microTime(wallMs: number): string {
  return formatMicroTime(BigInt(wallMs) * 1000n);
}
