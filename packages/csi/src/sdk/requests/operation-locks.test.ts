import { type Clock, systemClock } from "@stowage/machinery";
import { expect, test } from "vitest";
import { OperationLocks } from "./operation-locks.ts";

test("a second operation is told what runs, and for how long", () => {
  let nowMs = 1000;
  const clock: Clock = { ...systemClock, monotonicMs: () => nowMs };
  const locks = new OperationLocks(clock);
  locks.tryAcquire("volume pvc-1", "NodeStageVolume");
  nowMs += 3210;
  expect(locks.tryAcquire("volume pvc-1", "NodePublishVolume")).toBe(
    "volume pvc-1: NodeStageVolume has been running for 3.2 s",
  );
});

test("other subjects are free, and so is this one when the operation has ended", () => {
  const locks = new OperationLocks(systemClock);
  {
    using first = locks.tryAcquire("volume a", "NodeStageVolume") as Disposable;
    expect(first).toBeTypeOf("object");
    expect(locks.tryAcquire("volume b", "NodeStageVolume")).toBeTypeOf("object");
    expect(locks.tryAcquire("volume a", "NodeStageVolume")).toBeTypeOf("string");
  }
  expect(locks.tryAcquire("volume a", "NodeStageVolume")).toBeTypeOf("object");
});

test("a lock that is given back twice does not free the next one's", () => {
  const locks = new OperationLocks(systemClock);
  const first = locks.tryAcquire("volume a", "NodeStageVolume") as Disposable;
  first[Symbol.dispose]();
  locks.tryAcquire("volume a", "NodePublishVolume");
  first[Symbol.dispose]();
  expect(locks.tryAcquire("volume a", "NodeUnstageVolume")).toContain("NodePublishVolume");
});
