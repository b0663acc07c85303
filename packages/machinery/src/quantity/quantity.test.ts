import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { Quantity } from "./index.ts";

const digits = (maxLength: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${maxLength}}$`));
const suffix = fc.oneof(
  fc.constantFrom("n", "u", "m", "", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"),
  fc.integer({ min: -30, max: 30 }).map((exponent) => `e${exponent}`),
);
const quantityText = fc
  .tuple(
    fc.constantFrom("", "+", "-"),
    digits(12),
    fc.oneof(
      fc.constant(""),
      digits(12).map((d) => `.${d}`),
    ),
    suffix,
  )
  .map((parts) => parts.join(""));
const quantity = quantityText.map((text) => Quantity.parse(text));

describe("a quantity that was read", () => {
  test.each([
    // Same amount, larger suffix.
    ["1024Mi", "1Gi"],
    ["1.5Gi", "1536Mi"],
    ["1000k", "1M"],
    ["1500", "1500"],
    ["1000m", "1"],
    ["8Ki", "8Ki"],
    ["1024", "1024"],
    ["1E", "1E"],
    ["0.001E", "1P"],
    // No fraction is ever printed.
    ["0.5", "500m"],
    [".5", "500m"],
    ["1.5", "1500m"],
    ["1.25u", "1250n"],
    // Powers of 1024 tell neither fractions nor anything below 1024.
    ["1.1Ki", "1126400m"],
    ["0.5Ki", "512"],
    ["1.5Ki", "1536"],
    ["0.0001Ki", "102400u"],
    ["-1.5Gi", "-1536Mi"],
    // Exponents.
    ["1e2", "100"],
    ["1e4", "10e3"],
    ["1E5", "100e3"],
    ["1e19", "10e18"],
    ["1e-1", "100e-3"],
    ["1000e3", "1e6"],
    // Zero.
    ["0", "0"],
    ["-0", "0"],
    ["0Ki", "0"],
    ["0e9", "0"],
    // Finer than a billionth.
    ["0.1n", "1n"],
    ["-0.1n", "-1n"],
    ["1.0000000001", "1000000001n"],
    ["1e-20", "1e-9"],
    // Beyond 64 bits.
    ["8Ei", "9223372036854775807"],
    ["-8Ei", "-9223372036854775807"],
    ["1000000Ei", "9223372036854775807"],
    ["999999999999999999999999", "999999999999999999999999"],
    ["1e400", "10e399"],
  ])("prints %s as %s", (written, printed) => {
    expect(Quantity.parse(written).toString()).toBe(printed);
  });

  test.each([
    ["1.500", "1500m"],
    ["1.234k", "1234"],
    ["1E3", "1e3"],
    ["1e+3", "1e3"],
    ["+1Ki", "1Ki"],
    ["001Ki", "1Ki"],
    ["+5", "5"],
    ["5.", "5"],
  ])("prints %s as it was written, although %s is canonical", (written, canonical) => {
    expect(Quantity.parse(written).toString()).toBe(written);
    expect(Quantity.parse(written).canonical()).toBe(canonical);
  });

  test.each(["1000E", "123456789000E"])(
    "prints %s with the largest suffix, where Kubernetes would drop it",
    (written) => {
      expect(Quantity.parse(written).toString()).toBe(written);
    },
  );

  test.each(["+", "-", ".", "+.", "Ki", "m", "e3", ".Gi"])("counts %j as zero, for want of digits", (text) => {
    expect(Quantity.parse(text).isZero()).toBe(true);
  });

  test.each([
    ["1Gi", "BinarySI"],
    ["1G", "DecimalSI"],
    ["1", "DecimalSI"],
    ["1e3", "DecimalExponent"],
    ["1E", "DecimalSI"],
    ["1E3", "DecimalExponent"],
    ["0.0001Ki", "DecimalSI"],
  ])("%s has the format %s", (text, format) => {
    expect(Quantity.parse(text).format).toBe(format);
  });

  test("prints in JSON as it prints elsewhere", () => {
    expect(JSON.stringify({ storage: Quantity.parse("2048Mi") })).toBe('{"storage":"2Gi"}');
  });

  test("reads its canonical form as the same amount", () => {
    fc.assert(
      fc.property(quantity, (q) => {
        expect(Quantity.parse(q.canonical()).equals(q)).toBe(true);
      }),
    );
  });

  test("has one canonical form, which is canonical itself", () => {
    fc.assert(
      fc.property(quantity, (q) => {
        expect(Quantity.parse(q.canonical()).canonical()).toBe(q.canonical());
      }),
    );
  });
});

describe("what is not a quantity", () => {
  test.each([
    ["", "regular expression"],
    [" 1", "regular expression"],
    ["1 Gi", "regular expression"],
    ["1.2.3", "regular expression"],
    ["--1", "suffix"],
    ["0x10", "regular expression"],
    ["1e1.5", "regular expression"],
    ["abc", "regular expression"],
    ["1gi", "regular expression"],
    ["1K", "suffix"],
    ["1KI", "regular expression"],
    ["1ki", "suffix"],
    ["1Ki5", "suffix"],
    ["1e", "suffix"],
    ["1e+", "suffix"],
    ["5-3", "suffix"],
    ["1e10000", "suffix"],
    ["Pi", "numeric part"],
    ["e-10", "numeric part"],
  ])("%j is refused because of its %s", (text, reason) => {
    expect(() => Quantity.parse(text)).toThrow(reason);
  });

  it("is refused with a code and the input in the message", () => {
    const refusal = { code: "INVALID_QUANTITY", message: expect.stringContaining('"10GB"') };
    expect(() => Quantity.parse("10GB")).toThrow(expect.objectContaining(refusal));
  });
});

describe("a quantity from a manifest", () => {
  test.each([
    [5, "5"],
    [0.5, "500m"],
    [1e21, "1e+21"],
    [" 1Gi ", "1Gi"],
  ])("may be %j", (value, printed) => {
    expect(Quantity.fromJson(value).toString()).toBe(printed);
  });

  test.each([[null], [true], [Number.NaN], [{}], ["\t1"]])("may not be %j", (value) => {
    expect(() => Quantity.fromJson(value)).toThrow("not valid");
  });
});

describe("a quantity from a number of bytes", () => {
  test.each([
    [1073741824n, "1Gi"],
    [1000000000n, "1000000000"],
    [1023n, "1023"],
    [-2048n, "-2Ki"],
    [0n, "0"],
    [2n ** 80n, "1048576Ei"],
  ])("%d prints as %s", (bytes, printed) => {
    expect(Quantity.fromBytes(bytes).toString()).toBe(printed);
  });

  test("prints in the format that is asked for", () => {
    expect(Quantity.fromBytes(5_000_000n, "DecimalSI").toString()).toBe("5M");
    expect(Quantity.fromBytes(5_000_000n, "DecimalExponent").toString()).toBe("5e6");
    expect(Quantity.fromMilli(1500n).toString()).toBe("1500m");
  });

  test("gives the bytes back", () => {
    fc.assert(
      fc.property(fc.bigInt(), (bytes) => {
        expect(Quantity.fromBytes(bytes).toBytes()).toBe(bytes);
      }),
    );
  });
});

describe("whole units and thousandths", () => {
  test.each([
    ["1Ki", 1024n, 1_024_000n],
    ["1.1", 2n, 1100n],
    ["0.1m", 1n, 1n],
    ["-1.1", -2n, -1100n],
    ["1n", 1n, 1n],
    ["-1n", -1n, -1n],
    ["0", 0n, 0n],
    ["1e20", 10n ** 20n, 10n ** 23n],
  ])("of %s are %d and %d, rounded away from zero", (text, units, thousandths) => {
    expect(Quantity.parse(text).value()).toBe(units);
    expect(Quantity.parse(text).toBytes()).toBe(units);
    expect(Quantity.parse(text).milliValue()).toBe(thousandths);
  });

  test.each([
    ["1.2345", "1235m"],
    ["-1.2345", "-1235m"],
    ["100n", "1m"],
    ["1.500", "1.500"],
    ["1Gi", "1Gi"],
  ])("%s rounds to %s in a resource list", (text, rounded) => {
    expect(Quantity.parse(text).roundUpToMilli().toString()).toBe(rounded);
  });
});

describe("arithmetic", () => {
  test.each([
    ["1Gi", "1Gi", "2Gi", "0"],
    ["1Gi", "1G", "2073741824", "73741824"],
    ["1", "500m", "1500m", "500m"],
    ["0", "1Gi", "1Gi", "-1Gi"],
    ["1e3", "1k", "2e3", "0"],
    ["1Gi", "0.5", "1073741824500m", "1073741823500m"],
  ])("of %s and %s gives %s and %s", (left, right, sum, difference) => {
    expect(Quantity.parse(left).add(Quantity.parse(right)).toString()).toBe(sum);
    expect(Quantity.parse(left).subtract(Quantity.parse(right)).toString()).toBe(difference);
  });

  test("is exact: adding and subtracting again changes nothing", () => {
    fc.assert(
      fc.property(quantity, quantity, (a, b) => {
        expect(a.add(b).subtract(b).equals(a)).toBe(true);
      }),
    );
  });

  test("adds in either order", () => {
    fc.assert(
      fc.property(quantity, quantity, (a, b) => {
        expect(a.add(b).equals(b.add(a))).toBe(true);
      }),
    );
  });

  test("subtracts by adding the negative", () => {
    fc.assert(
      fc.property(quantity, quantity, (a, b) => {
        expect(a.subtract(b).equals(a.add(b.negate()))).toBe(true);
      }),
    );
  });
});

describe("comparison", () => {
  test.each([
    ["1Gi", "1024Mi", 0],
    ["1Gi", "1G", 1],
    ["1m", "1", -1],
    ["-1", "1n", -1],
    ["0", "-0Ki", 0],
  ])("of %s with %s gives %i", (left, right, expected) => {
    expect(Quantity.parse(left).compare(Quantity.parse(right))).toBe(expected);
  });

  test("goes by the sign of the difference", () => {
    fc.assert(
      fc.property(quantity, quantity, (a, b) => {
        const difference = a.subtract(b);
        const sign = difference.isZero() ? 0 : difference.isNegative() ? -1 : 1;
        expect([a.compare(b), b.compare(a)]).toEqual([sign, 0 - sign]);
      }),
    );
  });

  test("is not changed by adding the same to both", () => {
    fc.assert(
      fc.property(quantity, quantity, quantity, (a, b, c) => {
        expect(a.add(c).compare(b.add(c))).toBe(a.compare(b));
      }),
    );
  });
});
