import { InvalidQuantityError, Quantity } from "@stowage/machinery";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type RealAnswer, realApi } from "./real-api.ts";

/** Fixed, so that a run can be repeated. */
const seed = 20_260_131;

const digits = (maxLength: number) => fc.stringMatching(new RegExp(`^[0-9]{0,${maxLength}}$`));
const number = fc.oneof(
  fc.tuple(digits(4)).map(([whole]) => whole),
  fc.tuple(digits(20), digits(12)).map(([whole, fraction]) => `${whole}.${fraction}`),
  fc.tuple(digits(3), digits(3)).map(([whole, fraction]) => `${whole}.${fraction}`),
  // Where the canonical form moves to a larger suffix.
  fc.tuple(fc.nat(2000), fc.constantFrom(1, 8, 1000, 1024, 1_000_000, 1_048_576)).map(([n, unit]) => String(n * unit)),
);
const suffix = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("n", "u", "m", "", "k", "M", "G", "T", "P", "E") },
  { weight: 5, arbitrary: fc.constantFrom("Ki", "Mi", "Gi", "Ti", "Pi", "Ei") },
  { weight: 4, arbitrary: fc.stringMatching(/^[eE][+-]?[0-3]?[0-9]$/) },
  { weight: 1, arbitrary: fc.stringMatching(/^[eEinumkKMGTP]{0,2}[+-]?[0-9]{0,2}$/) },
);
const quantityText = fc.oneof(
  { weight: 20, arbitrary: fc.tuple(fc.constantFrom("", "", "+", "-"), number, suffix).map((parts) => parts.join("")) },
  { weight: 1, arbitrary: fc.stringMatching(/^[-+.0-9eEinumkKMGTPix ]{1,6}$/) },
);
const generated = fc.sample(quantityText, { seed, numRuns: 6000 });

const edges = [
  "0 -0 +0 00 0Ki 0.0 + - . +. Ki Pi m e3 e-10 .Gi .Pi",
  "1.500 1.234 1.5 5. .5 +1Ki +8Ki +5Ti +5Pi 001Ki 007 1E 1E3 1e3 1e+3",
  "1e2 1e19 1e-20 1e400 12e-3 0.1n -0.1n 1.0000000001 999999999n 0.5Ki 1.5Ki 1.1Ki",
  "0.0001Ki -1.5Gi 1023Ki 1024Ki 1025Ki 7Ei 8Ei -8Ei 7.9999999999Ei 9223372036854775807",
  "9223372036854775808 -9223372036854775808 999999999999999999999999 999E 9e9999 1e-9999",
  "1.2.3 --1 0x10 1e1.5 1K 1ki 1KI 1Ki5 1e 1e+ 5-3 1_000 ∞ NaN",
].flatMap((line) => line.split(" "));
const spaced = ["", " ", "1 Gi", " 1Gi ", "\u00a01Gi\u2003", "1\t", "\n1"];

/** Kubernetes prints these amounts without their suffix; see `canonicalForm`. */
const losesItsSuffix = (text: string) => {
  const quantity = read(text);
  if (quantity?.format !== "DecimalSI") return false;
  const units = quantity.value();
  return (units < 0n ? -units : units) >= 10n ** 21n && quantity.canonical().endsWith("E");
};

const api = realApi();

describe("the real API server", () => {
  const texts = [...new Set([...edges, ...spaced, ...generated])].filter((text) => !losesItsSuffix(text));
  const accepted = texts.filter((text) => read(text) !== undefined);
  const refused = texts.filter((text) => read(text) === undefined);

  test("prints every quantity as we do", async () => {
    expect(accepted.length).toBeGreaterThan(4000);
    const printed = await printedByServer(accepted);
    expect(printed).toEqual(accepted.map((text) => Quantity.fromJson(text).toString()));
  });

  test("refuses what we refuse, for the same reason", async () => {
    expect(refused.length).toBeGreaterThan(200);
    const answers = await Promise.all(refused.map((text) => createSlice([text])));
    expect(answers.map(({ status, json }) => `${status} ${json.message}`)).toEqual(
      refused.map(
        (text) => `400 ResourceSlice in version "v1" cannot be handled as a ResourceSlice: ${reasonFor(text)}`,
      ),
    );
  });

  test("reads plain numbers as we do", async () => {
    const numbers = [0, 5, -5, 0.5, 1.25, 1000, 1e21, 1e-7, 123456.789];
    expect(await printedByServer(numbers)).toEqual(numbers.map((value) => Quantity.fromJson(value).toString()));
  });

  test("rounds resource lists to thousandths as we do", async () => {
    const limits = accepted.map((text, i) => ({ type: `example.com/t${i}`, max: { cpu: text } }));
    const answer = await createLimitRange(limits);
    expect(answer.json.spec?.limits.map(({ max }) => max.cpu)).toEqual(
      accepted.map((text) => rounded(text).toString()),
    );
  });

  test("compares quantities as we do", async () => {
    const pairs = pairsToCompare(accepted);
    const limits = pairs.map(([min, max], i) => ({ type: `example.com/t${i}`, min: { cpu: min }, max: { cpu: max } }));
    const answer = await createLimitRange(limits);
    const refusedPairs = new Set(answer.json.details?.causes.map(({ field }) => field));
    const isGreater = (a: string, b: string) => rounded(a).compare(rounded(b)) > 0;
    const disputed = pairs.filter(
      ([min, max], i) => refusedPairs.has(`spec.limits[${i}].min[cpu]`) !== isGreater(min, max),
    );
    expect(disputed).toEqual([]);
    expect(refusedPairs.size).toBeGreaterThan(1000);
  });
});

describe("on purpose we differ from the real API server", () => {
  test("by keeping the amount of what is beyond its largest suffix", async () => {
    expect(await printedByServer(["1000E", "123456000E"])).toEqual(["1", "123456"]);
    expect(Quantity.parse("1000E").toString()).toBe("1000E");
    expect(Quantity.parse("123456000E").toString()).toBe("123456000E");
  });

  test("by refusing exponents of more than four digits, which it accepts and wraps around at 32 bits", async () => {
    expect(await printedByServer(["1e10000", "1e4294967296"])).toEqual(["10e9999", "1e4294967296"]);
    const isTwoGreater = { type: "example.com/t", min: { cpu: "2" }, max: { cpu: "1e4294967296" } };
    expect((await createLimitRange([isTwoGreater])).status).toBe(422);
    expect(() => Quantity.parse("1e10000")).toThrow(InvalidQuantityError);
    expect(() => Quantity.parse("1e4294967296")).toThrow(InvalidQuantityError);
  });
});

function read(text: string): Quantity | undefined {
  try {
    return Quantity.fromJson(text);
  } catch {
    return undefined;
  }
}

function rounded(text: string): Quantity {
  return Quantity.fromJson(text).roundUpToMilli();
}

function reasonFor(text: string): string {
  try {
    return `accepted as ${Quantity.fromJson(text).toString()}`;
  } catch (error) {
    return (error as InvalidQuantityError).reason;
  }
}

/** Neighbours as generated, and neighbours by size, which are often equal or nearly so. */
function pairsToCompare(texts: readonly string[]): [string, string][] {
  const bySize = texts.toSorted((a, b) => Quantity.fromJson(a).compare(Quantity.fromJson(b)));
  return [...neighbours(texts), ...neighbours(bySize), ...neighbours(bySize.toReversed())];
}

function neighbours(texts: readonly string[]): [string, string][] {
  return texts.slice(1).map((text, i) => [texts[i] ?? text, text]);
}

interface Slice {
  message?: string;
  spec?: { devices: { capacity: Record<string, { value: string }> }[] };
}

const perDevice = 32;
const perSlice = 128 * perDevice;

async function printedByServer(values: readonly unknown[]): Promise<string[]> {
  const printed: string[] = [];
  for (let start = 0; start < values.length; start += perSlice) {
    const { json } = await createSlice(values.slice(start, start + perSlice));
    if (!json.spec) throw new Error(json.message);
    for (const { capacity } of json.spec.devices) {
      printed.push(...Object.keys(capacity).map((_, i) => capacity[`c${i}`]?.value ?? "absent"));
    }
  }
  return printed;
}

/** The capacities of devices are a place for thousands of quantities of any sign and precision. Nothing is stored. */
function createSlice(values: readonly unknown[]): Promise<RealAnswer<Slice>> {
  const devices = Array.from({ length: Math.ceil(values.length / perDevice) }, (_, device) => ({
    name: `d${device}`,
    capacity: Object.fromEntries(
      values.slice(device * perDevice, (device + 1) * perDevice).map((value, i) => [`c${i}`, { value }]),
    ),
  }));
  const pool = { name: "quantities", generation: 1, resourceSliceCount: 1 };
  return api.request("POST", "/apis/resource.k8s.io/v1/resourceslices?dryRun=All", {
    apiVersion: "resource.k8s.io/v1",
    kind: "ResourceSlice",
    metadata: { name: "quantities" },
    spec: { driver: "quantities.example.com", nodeName: "quantities", pool, devices },
  });
}

interface LimitRange {
  message?: string;
  spec?: { limits: { max: { cpu: string } }[] };
  details?: { causes: { field: string }[] };
}

/** Limit ranges round their quantities and compare each minimum with its maximum. Nothing is stored. */
function createLimitRange(limits: readonly object[]): Promise<RealAnswer<LimitRange>> {
  return api.request("POST", "/api/v1/namespaces/default/limitranges?dryRun=All", {
    apiVersion: "v1",
    kind: "LimitRange",
    metadata: { name: "quantities" },
    spec: { limits },
  });
}
