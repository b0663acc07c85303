import { ManualClock } from "@stowage/machinery/testing";
import { expect, it } from "vitest";
import { SlowRetries } from "./slow-retries.ts";

it("holds a key back for its time, and no longer", async () => {
  const clock = new ManualClock();
  const slow = new SlowRetries(clock, 1000);
  expect(slow.remainingMs("a")).toBe(0);
  slow.add("a");
  await clock.advance(400);
  expect(slow.remainingMs("a")).toBe(600);
  expect(slow.remainingMs("b")).toBe(0);
  slow.add("b");
  slow.forget("b");
  expect(slow.remainingMs("b")).toBe(0);
  await clock.advance(600);
  expect(slow.remainingMs("a")).toBe(0);
});
