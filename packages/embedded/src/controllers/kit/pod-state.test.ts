import { describe, expect, it } from "vitest";
import { at, pod, readyStatus } from "../workloads/fixtures/workload-objects.ts";
import { isPodActive, isPodAvailable, isPodTerminating, nextAvailabilityMs } from "./pod-state.ts";
import { scaledValue } from "./scaled-value.ts";

const ready = pod("a", {}, { status: readyStatus(100) });

describe("a Pod", () => {
  it("is available when it has been ready for long enough", () => {
    expect(isPodAvailable(ready, 0, 100_000)).toBe(true);
    expect(isPodAvailable(ready, 10, 109_999)).toBe(false);
    expect(isPodAvailable(ready, 10, 110_000)).toBe(true);
    expect(isPodAvailable(pod("b"), 0, 110_000)).toBe(false);
  });

  it("says when the next becomes available", () => {
    const later = pod("b", {}, { status: readyStatus(103) });
    expect(nextAvailabilityMs([later, ready, pod("c")], 10, 104_000)).toBe(6_000);
    expect(nextAvailabilityMs([ready], 10, 120_000)).toBeUndefined();
    expect(nextAvailabilityMs([ready], 0, 0)).toBeUndefined();
  });

  it("is active, terminating or neither", () => {
    const going = pod("a", { deletionTimestamp: at(1) });
    const done = pod("a", { deletionTimestamp: at(1) }, { status: { phase: "Succeeded" } });
    expect([ready, going, done].map(isPodActive)).toEqual([true, false, false]);
    expect([ready, going, done].map(isPodTerminating)).toEqual([false, true, false]);
  });
});

describe("a number or a percentage", () => {
  it("is rounded up or down as is asked", () => {
    expect(scaledValue("30%", 4, true)).toBe(2);
    expect(scaledValue("30%", 4, false)).toBe(1);
    expect(scaledValue(3, 4, true)).toBe(3);
    expect(scaledValue(undefined, 4, true)).toBe(0);
  });
});
