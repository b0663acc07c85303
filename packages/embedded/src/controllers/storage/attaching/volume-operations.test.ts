import { ManualClock } from "@stowage/machinery/testing";
import { expect, it } from "vitest";
import { VolumeOperations } from "./volume-operations.ts";

const failing = () => Promise.reject(new Error("no"));

async function fail(operations: VolumeOperations): Promise<void> {
  operations.start("pv", "attach", failing, () => {});
  await operations.drained();
}

it("has one operation under way for a key, and tells when it ended", async () => {
  const operations = new VolumeOperations(new ManualClock());
  const work = Promise.withResolvers<void>();
  const ended: unknown[] = [];
  operations.start(
    "pv",
    "attach",
    () => work.promise,
    (error) => ended.push(error),
  );
  expect([operations.isRunning("pv"), operations.isRunning("other")]).toEqual([true, false]);
  work.resolve();
  await operations.drained();
  expect(operations.isRunning("pv")).toBe(false);
  expect(ended).toEqual([undefined]);
});

it("makes what failed wait, twice as long each time", async () => {
  const clock = new ManualClock();
  const operations = new VolumeOperations(clock);
  await fail(operations);
  expect(operations.waitMs("pv", "attach")).toBe(500);
  await clock.advance(500);
  expect(operations.waitMs("pv", "attach")).toBe(0);
  await fail(operations);
  expect(operations.waitMs("pv", "attach")).toBe(1000);
});

it("does not hold back a detachment for a failed attachment, and begins anew after it", async () => {
  const operations = new VolumeOperations(new ManualClock());
  await fail(operations);
  expect(operations.waitMs("pv", "detach")).toBe(0);
  operations.start(
    "pv",
    "detach",
    () => Promise.resolve(),
    () => {},
  );
  await operations.drained();
  expect(operations.waitMs("pv", "attach")).toBe(0);
  await fail(operations);
  expect(operations.waitMs("pv", "attach")).toBe(500);
});
