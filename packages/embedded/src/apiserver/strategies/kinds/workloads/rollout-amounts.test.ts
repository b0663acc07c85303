import { describe, expect, it } from "vitest";
import { amountErrors, amountOf, wholeShareErrors } from "./rollout-amounts.ts";

describe("how many at once", () => {
  it("is a number or a share", () => {
    expect(["25%", 3, "3", undefined].map(amountOf)).toEqual([25, 3, 3, 0]);
    expect([5, "5%"].flatMap((amount) => amountErrors(amount, "a"))).toEqual([]);
  });

  it("is neither less than nothing nor a word nor more than all", () => {
    expect(amountErrors(-1, "a")).toMatchObject([{ field: "a", type: "FieldValueInvalid" }]);
    expect(amountErrors("some", "a")).toMatchObject([{ body: expect.stringContaining("a valid percent string") }]);
    expect(wholeShareErrors("101%", "a")).toMatchObject([
      { body: 'Invalid value: "101%": must not be greater than 100%' },
    ]);
    expect(wholeShareErrors(101, "a")).toEqual([]);
  });
});
