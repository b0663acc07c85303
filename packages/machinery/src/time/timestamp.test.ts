import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatMicroTime, formatTime, parseMicroTime, parseTime } from "./index.ts";

/** The first and last moments that have a year of four digits. */
const firstMs = -62_167_219_200_000;
const lastMs = 253_402_300_799_999;

describe("a time", () => {
  test.each([
    ["1970-01-01T00:00:00Z", 0],
    ["2026-01-31T15:04:05Z", 1_769_871_845_000],
    ["2026-01-31T15:04:05+00:00", 1_769_871_845_000],
    ["2026-01-31T16:34:05+01:30", 1_769_871_845_000],
    ["2026-01-31T10:04:05-05:00", 1_769_871_845_000],
    ["2026-01-31T15:04:05.678Z", 1_769_871_845_678],
    ["2026-01-31T15:04:05.6789Z", 1_769_871_845_678],
    ["2026-01-31T15:04:05.6Z", 1_769_871_845_600],
    ["2024-02-29T00:00:00Z", 1_709_164_800_000],
    ["0000-01-01T00:00:00Z", firstMs],
    ["1969-12-31T23:59:59.999Z", -1],
  ])("is read from %s", (text, epochMs) => {
    expect(parseTime(text)).toBe(epochMs);
  });

  test.each([
    "",
    "2026-01-31",
    "2026-01-31T15:04:05",
    "2026-01-31 15:04:05Z",
    "2026-01-31t15:04:05z",
    "2026-01-31T15:04Z",
    "2026-1-31T15:04:05Z",
    "2026-01-31T5:04:05Z",
    "2026-01-31T15:04:05,5Z",
    "2026-01-31T15:04:05.Z",
    "2026-01-31T15:04:05+0100",
    "2026-01-31T15:04:05+24:00",
    "2026-01-31T15:04:05+01:60",
    "2026-02-30T15:04:05Z",
    "2025-02-29T15:04:05Z",
    "2026-13-01T15:04:05Z",
    "2026-00-01T15:04:05Z",
    "2026-01-00T15:04:05Z",
    "2026-01-31T24:00:00Z",
    "2026-01-31T15:60:05Z",
    "2026-01-31T23:59:60Z",
    "12026-01-31T15:04:05Z",
    "2026-01-31T15:04:05Z\n",
  ])("is not read from %j", (text) => {
    expect(() => parseTime(text)).toThrow("is not valid");
  });

  test("is written in UTC, in whole seconds", () => {
    expect(formatTime(0)).toBe("1970-01-01T00:00:00Z");
    expect(formatTime(1_769_871_845_999)).toBe("2026-01-31T15:04:05Z");
    expect(formatTime(-1)).toBe("1969-12-31T23:59:59Z");
  });

  test.each([firstMs - 1, lastMs + 1, Number.NaN, Number.POSITIVE_INFINITY])("at %d cannot be written", (epochMs) => {
    expect(() => formatTime(epochMs)).toThrow(expect.objectContaining({ code: "INVALID_TIME" }));
  });

  test("is read back as it was written", () => {
    const seconds = fc.integer({ min: firstMs / 1000, max: Math.floor(lastMs / 1000) });
    fc.assert(
      fc.property(seconds, (s) => {
        expect(parseTime(formatTime(s * 1000))).toBe(s * 1000);
      }),
    );
  });
});

describe("a time with microseconds", () => {
  test.each([
    ["1970-01-01T00:00:00.000001Z", 1n],
    ["2026-01-31T16:04:05.123456+01:00", 1_769_871_845_123_456n],
    ["1969-12-31T23:59:59.999999Z", -1n],
  ])("is read from %s", (text, epochMicros) => {
    expect(parseMicroTime(text)).toBe(epochMicros);
  });

  test.each(["2026-01-31T15:04:05Z", "2026-01-31T15:04:05.123Z", "2026-01-31T15:04:05.1234567Z", "now"])(
    "is not read from %s, as Kubernetes wants six decimals",
    (text) => {
      expect(() => parseMicroTime(text)).toThrow("is not valid");
    },
  );

  test("is always written with six decimals", () => {
    expect(formatMicroTime(0n)).toBe("1970-01-01T00:00:00.000000Z");
    expect(formatMicroTime(1_769_871_845_120_000n)).toBe("2026-01-31T15:04:05.120000Z");
    expect(formatMicroTime(-1n)).toBe("1969-12-31T23:59:59.999999Z");
  });

  test("is read back as it was written", () => {
    const micros = fc.bigInt({ min: BigInt(firstMs) * 1000n, max: BigInt(lastMs) * 1000n + 999n });
    fc.assert(
      fc.property(micros, (m) => {
        expect(parseMicroTime(formatMicroTime(m))).toBe(m);
      }),
    );
  });
});
