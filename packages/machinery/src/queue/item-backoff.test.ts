import { describe, expect, it } from "vitest";
import { createItemBackoff } from "./item-backoff.ts";

describe("the backoff of a key", () => {
  it("doubles with each failure, up to the maximum, and without end", () => {
    const backoff = createItemBackoff({ initialMs: 1000, maximumMs: 300_000 });
    const waits = Array.from({ length: 12 }, () => backoff.nextMs("a") / 1000);
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
    expect(backoff.failures("a")).toBe(12);
  });

  it("is the key's own, and begins anew when the key is forgotten", () => {
    const backoff = createItemBackoff({ initialMs: 10, maximumMs: 1000 });
    backoff.nextMs("a");
    backoff.nextMs("a");
    expect(backoff.nextMs("b")).toBe(10);
    backoff.forget("a");
    expect(backoff.failures("a")).toBe(0);
    expect(backoff.nextMs("a")).toBe(10);
  });

  it("stays a number however often a key fails", () => {
    const backoff = createItemBackoff({ initialMs: 1000, maximumMs: 300_000 });
    for (let failure = 0; failure < 5000; failure++) backoff.nextMs("a");
    expect(backoff.nextMs("a")).toBe(300_000);
  });
});
