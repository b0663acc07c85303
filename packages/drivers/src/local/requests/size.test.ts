import { isCsiCode } from "@stowage/csi";
import { describe, expect, it } from "vitest";
import { chooseSize, isWithin } from "./size.ts";

const codeOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return isCsiCode(error, "OUT_OF_RANGE")
      ? "OUT_OF_RANGE"
      : isCsiCode(error, "INVALID_ARGUMENT") && "INVALID_ARGUMENT";
  }
  return "none";
};

describe("the size of a volume", () => {
  it.each([
    ["what is required", { requiredBytes: 8192n, limitBytes: 0n }, 8192n],
    ["whole blocks", { requiredBytes: 8193n, limitBytes: 0n }, 12288n],
    ["the minimum when less is required", { requiredBytes: 1n, limitBytes: 0n }, 4096n],
    ["1 GiB when nothing is said", { requiredBytes: 0n, limitBytes: 0n }, 2n ** 30n],
    ["the limit when only that is given, and it is small", { requiredBytes: 0n, limitBytes: 8192n }, 8192n],
  ])("is %s", (_what, range, bytes) => {
    expect(chooseSize(range, 4096n)).toBe(bytes);
  });

  it("is 1 GiB without a range", () => {
    expect(chooseSize(undefined, 4096n)).toBe(2n ** 30n);
  });

  it.each([
    ["above the limit, once rounded", { requiredBytes: 4097n, limitBytes: 4098n }, "OUT_OF_RANGE"],
    ["beyond any disk", { requiredBytes: 2n ** 63n - 1n, limitBytes: 0n }, "OUT_OF_RANGE"],
    ["negative", { requiredBytes: -1n, limitBytes: 0n }, "INVALID_ARGUMENT"],
  ])("is refused when %s", (_what, range, code) => {
    expect(codeOf(() => chooseSize(range, 4096n))).toBe(code);
  });

  it("fits a range or not", () => {
    expect(isWithin(10n, { requiredBytes: 5n, limitBytes: 0n })).toBe(true);
    expect(isWithin(10n, { requiredBytes: 11n, limitBytes: 0n })).toBe(false);
    expect(isWithin(10n, { requiredBytes: 0n, limitBytes: 9n })).toBe(false);
    expect(isWithin(10n, undefined)).toBe(true);
  });
});
