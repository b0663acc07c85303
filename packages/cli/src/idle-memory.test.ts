import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { giveBackMemoryWhenIdle, type MemoryUse, shouldCollect } from "./idle-memory.ts";

const MiB = 1024 * 1024;
const use = (cpuMs: number, heapMiB: number): MemoryUse => ({ cpuMs, heapBytes: heapMiB * MiB });

it.each([
  { what: "an idle process that has never collected", spentMs: 10, heapMiB: 15, collectedMiB: 0, collects: true },
  { what: "a busy process, however much it holds", spentMs: 2000, heapMiB: 90, collectedMiB: 13, collects: false },
  { what: "an idle process with little to gain", spentMs: 10, heapMiB: 13.5, collectedMiB: 13, collects: false },
  { what: "an idle process whose health checks add up", spentMs: 10, heapMiB: 14.5, collectedMiB: 13, collects: true },
  { what: "a large heap that grew by a small part", spentMs: 10, heapMiB: 104, collectedMiB: 100, collects: false },
])("judges $what", ({ spentMs, heapMiB, collectedMiB, collects }) => {
  const state = { before: use(1000, heapMiB), now: use(1000 + spentMs, heapMiB), collectedBytes: collectedMiB * MiB };
  expect(shouldCollect(state)).toBe(collects);
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("collects once after a burst of work, and not again until there is more to collect", () => {
  let now = use(0, 10);
  let collections = 0;
  const deps = {
    measure: () => now,
    collect() {
      collections++;
      now = use(now.cpuMs, 13);
    },
  };
  using _ = giveBackMemoryWhenIdle(deps);
  now = use(4000, 25);
  vi.advanceTimersByTime(5_000);
  expect(collections).toBe(0);
  vi.advanceTimersByTime(60_000);
  expect(collections).toBe(1);
  now = use(4010, 15);
  vi.advanceTimersByTime(5_000);
  expect(collections).toBe(2);
});
