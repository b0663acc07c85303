import { goQuote } from "@stowage/machinery/structural";

/** `1,3-5`: the first and the last index of each part. */
type Interval = readonly [first: number, last: number];

/** How many indexes a text names, or what is wrong with it. */
export function countedIndexes(text: string, completions: number): number | string {
  if (text === "") return 0;
  let total = 0;
  let last: number | undefined;
  for (const part of text.split(",")) {
    const interval = parseInterval(part, completions);
    if (typeof interval === "string") return interval;
    const [from, to] = interval;
    if (last !== undefined && last >= from) return `non-increasing order, previous: ${last}, current: ${from}`;
    total += to - from + 1;
    last = to;
  }
  return total;
}

/** The first index that is in both; what cannot be read is passed over. */
export function overlapProblem(completed: string, failed: string, completions: number): string | undefined {
  const [done, lost] = [completed, failed].map((text) => readIntervals(text, completions));
  const found = (done ?? []).flatMap(([from, to]) =>
    (lost ?? []).flatMap(([start, end]) => (from <= end && start <= to ? [Math.max(from, start)] : [])),
  );
  return found.length === 0 ? undefined : `failedIndexes and completedIndexes overlap at index: ${Math.min(...found)}`;
}

function readIntervals(text: string, completions: number): Interval[] {
  if (text === "") return [];
  return text
    .split(",")
    .map((part) => parseInterval(part, completions))
    .filter((interval) => typeof interval !== "string");
}

function parseInterval(text: string, completions: number): Interval | string {
  const parts = text.split("-");
  if (parts.length > 2) {
    const rule = "violates the requirement that an index interval can have at most two parts separated by '-'";
    return `the fragment ${goQuote(text)} ${rule}`;
  }
  const numbers: number[] = [];
  for (const part of parts) {
    if (!/^[-+]?\d+$/u.test(part)) return `cannot convert string to integer for index: ${goQuote(part)}`;
    const index = Number(part);
    if (index >= completions) return `too large index: ${goQuote(part)}`;
    numbers.push(index);
  }
  const [from = 0, to] = numbers;
  if (to === undefined) return [from, from];
  return from >= to ? `non-increasing order, previous: ${from}, current: ${to}` : [from, to];
}
