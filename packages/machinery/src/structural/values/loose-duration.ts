import { hasErrorCode } from "../../errors/stowage-error.ts";
import { parseDurationNs } from "../../time/duration.ts";

const nanosecond = 1n;
const second = 1_000_000_000n;

/** The units of the loose form; the last name of each is enough of a beginning. */
const looseUnits: readonly (readonly [names: readonly string[], nanoseconds: bigint])[] = [
  [["ns", "nano"], nanosecond],
  [["us", "µs", "micro"], 1000n],
  [["ms", "milli"], 1_000_000n],
  [["s", "sec"], second],
  [["m", "min"], 60n * second],
  [["h", "hr", "hour"], 3600n * second],
  [["d", "day"], 86_400n * second],
  [["w", "wk", "week"], 604_800n * second],
];

const int64Max = 2n ** 63n - 1n;

/** Far more than any that fits into 64 bits. */
const longestDuration = 1000;

/** Nanoseconds of a duration as Go writes it (`1h30m`), or as people do (`2 days`); undefined for what is neither. */
export function parseLooseDuration(text: string): bigint | undefined {
  return parseGoDuration(text) ?? parsePeoplesDuration(text);
}

/** Also tells whether it is one: those that Go refuses are undefined here. */
export function parseGoDuration(text: string): bigint | undefined {
  if (text.length > longestDuration) return undefined;
  try {
    return parseDurationNs(text);
  } catch (error) {
    if (hasErrorCode(error, "INVALID_DURATION")) return undefined;
    throw error;
  }
}

/** Read word by word rather than by one pattern, whose attempts would grow with the square of a long text. */
function parsePeoplesDuration(text: string): bigint | undefined {
  let total: bigint | undefined;
  let digits = "";
  for (const [word] of text.matchAll(/\d+|\s+|[A-Za-zµ]+|[^\d\sA-Za-zµ]+/g)) {
    if (/^\s/.test(word)) continue;
    if (/^[A-Za-zµ]/.test(word) && digits !== "") {
      if (digits.length > 19 || BigInt(digits) > int64Max) return undefined;
      for (const nanoseconds of unitsNamed(word.toLowerCase())) total = (total ?? 0n) + BigInt(digits) * nanoseconds;
    }
    digits = /^\d/.test(word) ? word : "";
  }
  return total;
}

function unitsNamed(word: string): bigint[] {
  return looseUnits.flatMap(([names, nanoseconds]) =>
    names
      .filter((name, position) => word === name || (position === names.length - 1 && word.startsWith(name)))
      .map(() => nanoseconds),
  );
}
