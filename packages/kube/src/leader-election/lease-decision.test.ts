import type { Lease, LeaseSpec } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { decideOnLease, leaseMetadata, observe, releasedSpec, renewedSpec, takenSpec } from "./lease-decision.ts";

const lease = (spec: LeaseSpec, resourceVersion = "1"): Lease => ({
  apiVersion: "coordination.k8s.io/v1",
  kind: "Lease",
  metadata: { name: "l", namespace: "n", resourceVersion },
  spec,
});
const held = (resourceVersion = "1") => lease({ holderIdentity: "other", leaseDurationSeconds: 15 }, resourceVersion);
const me = { identity: "me", leaseDurationMs: 15_000 };

describe("a contender", () => {
  it("creates a lease that does not exist", () => {
    expect(decideOnLease(undefined, undefined, { nowMs: 0 })).toEqual({ action: "create" });
  });

  it("takes a lease that nobody holds", () => {
    expect(decideOnLease(lease({ holderIdentity: "" }), undefined, { nowMs: 0 })).toEqual({ action: "take" });
    expect(decideOnLease(lease({}), undefined, { nowMs: 0 })).toEqual({ action: "take" });
  });

  it("waits the whole duration from when it first saw the lease as it is, whatever times are written in it", () => {
    const seen = observe(held(), undefined, 1_000);
    expect(decideOnLease(held(), seen, { nowMs: 15_999 })).toEqual({ action: "wait", holder: "other", remainingMs: 1 });
    expect(decideOnLease(held(), seen, { nowMs: 16_000 })).toEqual({ action: "take" });
  });

  it("begins to wait anew when the lease was renewed, also while it was not looking", () => {
    const seen = observe(held("1"), undefined, 1_000);
    expect(decideOnLease(held("2"), seen, { nowMs: 60_000 })).toMatchObject({ action: "wait", remainingMs: 15_000 });
    expect(observe(held("2"), seen, 60_000)).toEqual({ resourceVersion: "2", firstSeenMs: 60_000 });
    expect(observe(held("1"), seen, 60_000)).toBe(seen);
  });

  it("takes a lease under its own name for another's: two processes may have been given one name", () => {
    const mine = lease({ holderIdentity: "me", leaseDurationSeconds: 15 });
    expect(decideOnLease(mine, undefined, { nowMs: 0 })).toMatchObject({ action: "wait", holder: "me" });
  });
});

describe("a holder of the main lease", () => {
  const holder = { identity: "other", leaseDurationMs: 120_000, mainLease: "n/main" };
  const companion = (holderIdentity: string): Lease => ({
    ...lease({ holderIdentity, leaseDurationSeconds: 120 }),
    metadata: leaseMetadata({ name: "l", namespace: "n" }, holder),
  });

  it("takes the companions over that its predecessor held", () => {
    expect(decideOnLease(companion("other"), undefined, { nowMs: 0, mainLease: "n/main" })).toEqual({ action: "take" });
  });

  it("waits for a companion that another program has taken meanwhile, or that goes with another main lease", () => {
    const taken = companion("an-original");
    expect(decideOnLease(taken, undefined, { nowMs: 0, mainLease: "n/main" })).toMatchObject({ action: "wait" });
    const foreign = companion("other");
    expect(decideOnLease(foreign, undefined, { nowMs: 0, mainLease: "n/else" })).toMatchObject({ action: "wait" });
    expect(decideOnLease(foreign, undefined, { nowMs: 0 })).toMatchObject({ action: "wait" });
  });
});

describe("what is written", () => {
  it("numbers the terms from zero, one more at each change of hands", () => {
    expect(takenSpec(undefined, me, 0)).toMatchObject({
      holderIdentity: "me",
      leaseTransitions: 0,
      leaseDurationSeconds: 15,
    });
    expect(takenSpec({ holderIdentity: "", leaseTransitions: 4 }, me, 0)).toMatchObject({ leaseTransitions: 5 });
  });

  it("keeps the term and the time of acquisition when it is renewed", () => {
    const first = takenSpec(undefined, me, 0);
    const renewed = renewedSpec(first, me, 5_000);
    expect(renewed).toEqual({ ...first, renewTime: "1970-01-01T00:00:05.000000Z" });
  });

  it("names nobody when it is given back, and keeps the number of the term", () => {
    const released = releasedSpec({ holderIdentity: "me", leaseTransitions: 3, leaseDurationSeconds: 15 }, 0);
    expect(released).toMatchObject({ holderIdentity: "", leaseDurationSeconds: 1, leaseTransitions: 3 });
  });
});
