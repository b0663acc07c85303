import type { Lease, LeaseSpec, ObjectMeta } from "@stowage/machinery";
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
  { nowMs, mainLease }: { readonly nowMs: number; readonly mainLease?: string },
): LeaseDecision {
  if (lease === undefined) return { action: "create" };
  const { holderIdentity: holder = "", leaseDurationSeconds = 0 } = lease.spec ?? {};
  if (holder === "") return { action: "take" };
  // Whoever holds the main lease has outlived the one who held both.
  if (mainLease !== undefined && isCompanionOf(lease, mainLease)) return { action: "take" };
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
  /** For a companion: the lease that it goes with. */
  readonly mainLease?: string;
}

// A released version of Stowage reads what an earlier one wrote: never rename it.
const COMPANION_ANNOTATION = "stowage.dev/companion-of";

/** Marks a lease that is held for the sake of the main one, and by whom: another program that takes it leaves the mark alone. */
export function leaseMetadata(metadata: ObjectMeta, { identity, mainLease }: Holder): ObjectMeta {
  if (mainLease === undefined) return metadata;
  const annotations = { ...metadata.annotations, [COMPANION_ANNOTATION]: companionMark(mainLease, identity) };
  return { ...metadata, annotations };
}

function isCompanionOf({ metadata, spec }: Lease, mainLease: string): boolean {
  return metadata.annotations?.[COMPANION_ANNOTATION] === companionMark(mainLease, spec?.holderIdentity ?? "");
}

function companionMark(mainLease: string, identity: string): string {
  return `${mainLease} ${identity}`;
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
