import { describe, expect, it } from "vitest";
import { defaultLeaseTiming, validateLeaseTiming } from "./lease-timing.ts";

describe("the times of an election", () => {
  it("fit together by default", () => {
    expect(() => validateLeaseTiming(defaultLeaseTiming)).not.toThrow();
  });

  it.each([
    ["a lease of half a second", { leaseDurationMs: 500 }, "whole number of seconds"],
    ["a deadline as long as the lease", { renewDeadlineMs: 15_000 }, "must be shorter than the lease duration"],
    ["no time for a second try", { retryPeriodMs: 9_000 }, "must leave room for another try"],
    ["no pause between tries", { retryPeriodMs: 0 }, "must be positive"],
    ["renewals too far apart", { renewIntervalMs: 9_000 }, "must leave room for another try"],
  ])("are refused with %s", (_, change, why) => {
    expect(() => validateLeaseTiming({ ...defaultLeaseTiming, ...change })).toThrow(why);
  });
});
