import { describe, expect, it } from "vitest";
import { createValidity, type Instant } from "./validity.ts";

const at = (monotonicMs: number, wallMs = monotonicMs): Instant => ({
  monotonicNs: BigInt(monotonicMs) * 1_000_000n,
  wallMs,
});

describe("the belief to lead", () => {
  it("is not there before it was given", () => {
    expect(createValidity().holdsAt(at(0))).toBe(false);
  });

  it("lasts from when the request was sent until its time is up", () => {
    const validity = createValidity();
    validity.extend(at(1_000), 500);
    expect(validity.holdsAt(at(1_499))).toBe(true);
    expect(validity.holdsAt(at(1_500))).toBe(false);
    expect(validity.remainingMs(at(1_200))).toBe(300);
  });

  it("ends when the clock on the wall has moved on though the machine slept", () => {
    const validity = createValidity();
    validity.extend(at(1_000, 50_000), 500);
    expect(validity.holdsAt(at(1_100, 50_600))).toBe(false);
  });

  it("ends when time has passed though the clock on the wall was set back", () => {
    const validity = createValidity();
    validity.extend(at(1_000, 50_000), 500);
    expect(validity.holdsAt(at(1_600, 40_000))).toBe(false);
  });

  it("is seen at once by whoever shares its memory", () => {
    const validity = createValidity();
    const other = createValidity(validity.buffer);
    validity.extend(at(1_000), 500);
    expect(other.holdsAt(at(1_100))).toBe(true);
    validity.end();
    expect(other.holdsAt(at(1_100))).toBe(false);
  });
});
