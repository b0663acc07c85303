import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatDurationMs, formatDurationNs, parseDurationMs, parseDurationNs } from "./index.ts";

const second = 1_000_000_000n;
const hour = 3600n * second;

describe("a duration", () => {
  test.each([
    ["0", 0n],
    ["-0", 0n],
    ["5s", 5n * second],
    ["+5s", 5n * second],
    ["-5s", -5n * second],
    ["1478s", 1478n * second],
    ["5.0s", 5n * second],
    ["5.s", 5n * second],
    [".5s", second / 2n],
    ["1.5h", hour + hour / 2n],
    ["1h2m3.5s", hour + 123n * second + second / 2n],
    ["3s1h", hour + 3n * second],
    ["300ms", 300_000_000n],
    ["10ns", 10n],
    ["11us", 11_000n],
    ["12µs", 12_000n],
    ["12μs", 12_000n],
    ["0.5ns", 0n],
    ["0.3333333333333333333h", hour / 3n],
    ["0.100000000000000000000h", hour / 10n],
    ["9223372036854775807ns", 2n ** 63n - 1n],
    ["-9223372036854775808ns", -(2n ** 63n)],
  ])("is read from %s", (text, nanos) => {
    expect(parseDurationNs(text)).toBe(nanos);
  });

  test.each([
    "",
    "-",
    "3",
    "1.5",
    "s",
    ".s",
    "-.",
    "1d",
    "1hh",
    "1s ",
    " 1s",
    "1e3s",
    "--1s",
    "9223372036854775808ns",
    "3000000h",
  ])("is not read from %j", (text) => {
    const refusal = { code: "INVALID_DURATION", message: expect.stringContaining(JSON.stringify(text)) };
    expect(() => parseDurationNs(text)).toThrow(expect.objectContaining(refusal));
  });

  test.each([
    [0n, "0s"],
    [1n, "1ns"],
    [1_100n, "1.1µs"],
    [2_200_000n, "2.2ms"],
    [3_300_000_000n, "3.3s"],
    [60n * second, "1m0s"],
    [hour, "1h0m0s"],
    [100n * hour + 61n * second + 1n, "100h1m1.000000001s"],
    [-5n * second, "-5s"],
    [-(2n ** 63n), "-2562047h47m16.854775808s"],
  ])("of %d nanoseconds is written %s", (nanos, text) => {
    expect(formatDurationNs(nanos)).toBe(text);
  });

  test("is read back as it was written", () => {
    const nanos = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    // Fractions of a second have at most nine digits, which floating point carries without loss.
    fc.assert(
      fc.property(nanos, (n) => {
        expect(parseDurationNs(formatDurationNs(n))).toBe(n);
      }),
    );
  });

  test("can be in milliseconds", () => {
    expect(parseDurationMs("1m0.25s")).toBe(60_250);
    expect(parseDurationMs("1500us")).toBe(1.5);
    expect(formatDurationMs(90_000)).toBe("1m30s");
    expect(formatDurationMs(0.0015)).toBe("1.5µs");
  });
});
