import { ManualClock } from "@stowage/machinery/testing";
import { describe, expect, it, test } from "vitest";
import type { Trouble } from "../apply/index.ts";
import { nextLook } from "./next-look.ts";
import { TroubleClock } from "./trouble-clock.ts";

const rollout: Trouble = { effect: "wait", reason: "WorkloadNotAvailable", message: "", name: "x/d" };
const operator: Trouble = { ...rollout, name: "storage", plural: { reason: "", message: () => "" } };
const forbidden: Trouble = { ...rollout, effect: "fail", reason: "UpdatePayloadResourceForbidden" };

describe("the next look", () => {
  test.each([
    ["is when something changes", [], [], 0, undefined],
    ["is with a backoff after a failure", [rollout, forbidden], [], 0, { retry: true }],
    ["is soon for a rollout", [rollout], [], 0, { requeueAfterMs: 1_000 }],
    ["is later for a slow rollout", [rollout], [], 60_000, { requeueAfterMs: 5_000 }],
    ["is later still for a very slow one", [rollout, operator], [], 600_000, { requeueAfterMs: 15_000 }],
    ["is for time alone with operators, which are watched", [operator], [], 0, { requeueAfterMs: 60_000 }],
    ["is soon for what is to go", [], ["job"], 0, { requeueAfterMs: 1_000 }],
  ] as const)("%s", (...[, troubles, lingering, ageMs, outcome]) => {
    expect(nextLook({ troubles, lingering }, ageMs)).toEqual(outcome);
  });
});

describe("the age of troubles", () => {
  it("is that of the longest, and goes with it", async () => {
    const clock = new ManualClock();
    const troubles = new TroubleClock(clock);
    expect(troubles.ageMs()).toBe(0);
    troubles.note([operator]);
    await clock.advance(100);
    troubles.note([{ ...operator, reason: "Another" }, rollout]);
    expect(troubles.ageMs()).toBe(100);
    await clock.advance(50);
    troubles.note([rollout]);
    expect(troubles.ageMs()).toBe(50);
    troubles.note([]);
    expect(troubles.ageMs()).toBe(0);
  });
});
