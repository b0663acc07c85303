import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ManualClock, settled } from "../testing/index.ts";
import { DelayedKeys } from "./delayed-keys.ts";

function delayedKeys() {
  const clock = new ManualClock();
  const due: { key: string; atMs: number }[] = [];
  const keys = new DelayedKeys(clock, (key) => due.push({ key, atMs: clock.monotonicMs() }));
  return { clock, keys, due };
}

describe("keys that wait for their time", () => {
  it("come in the order of their times, each once, at the earliest time that was asked for", async () => {
    const asked = fc.array(
      fc.record({ key: fc.constantFrom("a", "b", "c", "d", "e", "f"), delayMs: fc.integer({ min: 1, max: 50 }) }),
    );
    await fc.assert(
      fc.asyncProperty(asked, async (adds) => {
        const { clock, keys, due } = delayedKeys();
        const earliest = new Map<string, number>();
        for (const { key, delayMs } of adds) {
          keys.add(key, delayMs);
          earliest.set(key, Math.min(delayMs, earliest.get(key) ?? delayMs));
        }
        expect(keys.size).toBe(earliest.size);
        await clock.advance(60);
        await settled();
        expect(due.map(({ atMs }) => atMs)).toEqual(due.map(({ atMs }) => atMs).toSorted((a, b) => a - b));
        expect(new Map(due.map(({ key, atMs }) => [key, atMs]))).toEqual(earliest);
        expect(due).toHaveLength(earliest.size);
        expect(keys.size).toBe(0);
      }),
      { numRuns: 50 },
    );
  });

  it("share one timer", () => {
    const { clock, keys } = delayedKeys();
    for (let n = 0; n < 1000; n++) keys.add(`key-${n}`, 1000 - n / 2);
    expect(clock.sleeping).toBe(1);
  });

  it("can be asked for again after they came", async () => {
    const { clock, keys, due } = delayedKeys();
    keys.add("a", 10);
    await clock.advance(10);
    await settled();
    keys.add("a", 10);
    await clock.advance(10);
    await settled();
    expect(due).toEqual([
      { key: "a", atMs: 10 },
      { key: "a", atMs: 20 },
    ]);
  });

  it("never come once they are cleared, and leave no timer behind", async () => {
    const { clock, keys, due } = delayedKeys();
    keys.add("a", 10);
    keys.clear();
    expect(keys.size).toBe(0);
    await clock.advance(100);
    expect(due).toEqual([]);
    expect(clock.sleeping).toBe(0);
  });
});
