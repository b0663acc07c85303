import { describe, expect, test } from "vitest";
import { spreadOffset } from "./spread-offset.ts";

// A count beyond all 32-bit numbers shows the sum itself.
const WHOLE = 2 ** 32;

describe("where the claims of a StatefulSet begin", () => {
  test.each([
    // The published FNV-1 values of "", "a" and "foobar".
    ["", 0x811c9dc5],
    ["a", 0x050c5d7e],
    ["foobar", 0x31f0b262],
  ])("a name without an ordinal (%j) begins at its FNV-1 hash", (name, hash) => {
    expect(spreadOffset(name, WHOLE)).toBe(hash);
  });

  test.each([
    ["data-foobar-0", "foobar", 0],
    ["data-foobar-12", "foobar", 12],
    ["other-claim-foobar-12", "foobar", 12],
    ["foobar-3", "foobar", 3],
    ["data-my-foobar-007", "foobar", 7],
    ["-5", "", 5],
  ])("%s begins %s's hash, and its ordinal further", (claim, set, ordinal) => {
    expect(spreadOffset(claim, WHOLE)).toBe(spreadOffset(set, WHOLE) + ordinal);
  });

  test("a number too large for an ordinal is part of the name", () => {
    expect(spreadOffset("foobar-4294967296", WHOLE)).not.toBe(spreadOffset("foobar", WHOLE));
    expect(spreadOffset("foobar-4294967295", WHOLE)).toBe(spreadOffset("foobar", WHOLE) - 1);
  });

  test("neighbours in a set come one after the other, all around", () => {
    const offsets = Array.from({ length: 6 }, (_, ordinal) => spreadOffset(`data-web-${ordinal}`, 3));
    const [first = -1] = offsets;
    expect(offsets).toEqual([0, 1, 2, 3, 4, 5].map((step) => (first + step) % 3));
  });

  test("the sum wraps around as a 32-bit number does", () => {
    const hash = spreadOffset("foobar", WHOLE);
    expect(spreadOffset(`foobar-${WHOLE - hash}`, WHOLE)).toBe(0);
    expect(spreadOffset(`foobar-${WHOLE - hash + 5}`, 7)).toBe(5);
  });
});
