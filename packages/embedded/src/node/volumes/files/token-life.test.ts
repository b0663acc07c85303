import { describe, expect, it } from "vitest";
import { tokenRenewalMs } from "./token-life.ts";

const HOUR_SECONDS = 3600;

describe("a token", () => {
  it.each([
    [HOUR_SECONDS, 0.8 * HOUR_SECONDS],
    [600, 480],
    [29 * HOUR_SECONDS, 0.8 * 29 * HOUR_SECONDS],
    [365 * 24 * HOUR_SECONDS, 24 * HOUR_SECONDS],
  ])("that is good for %d s is asked for anew after %d s", (lifeSeconds, afterSeconds) => {
    const issuedMs = 1_000_000;
    const life = { expiresMs: issuedMs + lifeSeconds * 1000, lifeSeconds };
    expect(tokenRenewalMs(life, 0)).toBeCloseTo(issuedMs + afterSeconds * 1000, 3);
    expect(tokenRenewalMs(life, 7000)).toBeCloseTo(issuedMs + afterSeconds * 1000 - 7000, 3);
  });
});
