import { describe, expect, it } from "vitest";
import { Ages, humanDuration } from "./ages.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

describe("an age", () => {
  it.each([
    [-2 * second, "<invalid>"],
    [-1 * second, "0s"],
    [-1, "0s"],
    [0, "0s"],
    [999, "0s"],
    [119 * second, "119s"],
    [2 * minute, "2m"],
    [3 * minute + 2 * second, "3m2s"],
    [10 * minute + 59 * second, "10m"],
    [179 * minute, "179m"],
    [3 * hour, "3h"],
    [5 * hour + 30 * minute, "5h30m"],
    [8 * hour + 30 * minute, "8h"],
    [47 * hour, "47h"],
    [2 * day, "2d"],
    [2 * day + 5 * hour, "2d5h"],
    [8 * day + 5 * hour, "8d"],
    [729 * day, "729d"],
    [730 * day, "2y"],
    [750 * day, "2y20d"],
    [8 * 365 * day, "8y"],
  ])("of %d ms is shown as %s", (durationMs, shown) => {
    expect(humanDuration(durationMs)).toBe(shown);
  });

  it("is unknown where there is no time", () => {
    const ages = new Ages(0);
    expect([ages.since(undefined), ages.since(null), ages.since("")]).toEqual(Array(3).fill("<unknown>"));
  });

  it("is counted from now", () => {
    expect(new Ages(Date.parse("2026-01-01T00:05:07Z")).since("2026-01-01T00:00:00Z")).toBe("5m7s");
  });
});
