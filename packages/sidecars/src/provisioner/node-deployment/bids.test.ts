import { ManualClock } from "@stowage/machinery/testing";
import { describe, expect, test } from "vitest";
import { Bids, bidDelayMs } from "./bids.ts";
import { nodeDeploymentDefaults } from "./options.ts";

describe("how long a node waits before it tries to take a claim", () => {
  test.each([
    [0, 0, 20_000],
    [0, 0.25, 15_000],
    [0, 0.999, 20],
    [1, 0, 40_000],
    [1, 0.5, 30_000],
    [2, 0, 60_000],
    [9, 0.5, 50_000],
    [5000, 0, 60_000],
  ])("after %i failures, with luck %f: %i ms", (failures, random, expected) => {
    expect(bidDelayMs(failures, nodeDeploymentDefaults, random)).toBeCloseTo(expected);
  });

  test("never less than nothing, also when the maximum is below the base", () => {
    expect(bidDelayMs(0, { baseDelayMs: 100, maxDelayMs: 10 }, 0.9)).toBe(0);
  });
});

describe("the claims that a node waits for", () => {
  const setUp = () => {
    const clock = new ManualClock();
    return { clock, bids: new Bids({ clock, random: () => 0, baseDelayMs: 100, maxDelayMs: 300 }) };
  };

  test("may be looked at again and again without waiting longer", async () => {
    const { clock, bids } = setUp();
    expect(bids.waitMs("ns/a", "1")).toBe(100);
    await clock.advance(60);
    expect(bids.waitMs("ns/a", "1")).toBe(40);
    await clock.advance(40);
    expect(bids.waitMs("ns/a", "1")).toBe(0);
  });

  test("are waited for longer after each failure, up to the maximum", () => {
    const { bids } = setUp();
    bids.waitMs("ns/a", "1");
    expect([1, 2, 3].map(() => bids.fail("ns/a", "1"))).toEqual([200, 300, 300]);
  });

  test("begin anew once forgotten, or made anew under the same name", () => {
    const { bids } = setUp();
    bids.fail("ns/a", "1");
    expect(bids.waitMs("ns/a", "2")).toBe(100);
    bids.fail("ns/a", "2");
    bids.forget("ns/a");
    expect(bids.size).toBe(0);
    expect(bids.waitMs("ns/a", "2")).toBe(100);
  });
});
