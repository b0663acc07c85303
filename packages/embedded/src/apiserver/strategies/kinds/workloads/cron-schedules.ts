import { goQuote } from "@stowage/machinery/structural";

interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly names?: readonly string[];
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

const fields: readonly Bounds[] = [
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31 },
  { least: 1, most: 12, names: months },
  { least: 0, most: 6, names: days },
];

const descriptors = ["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"];

/** Why a schedule cannot be read, in the words of the parser that Kubernetes has it from; undefined when it can. */
export function scheduleProblem(text: string): string | undefined {
  const spec = withoutZone(text);
  if (spec.startsWith("@")) return descriptorProblem(spec);
  const parts = spec.split(/\s+/u).filter((part) => part !== "");
  if (parts.length !== fields.length) {
    return `expected exactly ${fields.length} fields, found ${parts.length}: [${parts.join(" ")}]`;
  }
  for (const [index, bounds] of fields.entries()) {
    const problem = fieldProblem(parts[index] ?? "", bounds);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** That a zone is in it is told by another check. */
function withoutZone(text: string): string {
  return /^(?:CRON_)?TZ=/u.test(text) ? text.replace(/^\S*/u, "").trim() : text;
}

function descriptorProblem(descriptor: string): string | undefined {
  if (descriptors.includes(descriptor)) return undefined;
  if (!descriptor.startsWith("@every ")) return `unrecognized descriptor: ${descriptor}`;
  const duration = descriptor.slice("@every ".length);
  if (/^[-+]?(?:\d+(?:\.\d*)?(?:ns|us|µs|ms|s|m|h))+$/u.test(duration) || duration === "0") return undefined;
  return `failed to parse duration ${descriptor}: ${durationProblem(duration)}`;
}

function durationProblem(duration: string): string {
  const isNumber = /^[-+]?\d+(?:\.\d*)?$/u.test(duration);
  return isNumber
    ? `time: missing unit in duration ${goQuote(duration)}`
    : `time: invalid duration ${goQuote(duration)}`;
}

function fieldProblem(field: string, bounds: Bounds): string | undefined {
  for (const range of field.split(",").filter((part) => part !== "")) {
    const problem = rangeProblem(range, bounds);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

function rangeProblem(text: string, bounds: Bounds): string | undefined {
  const [limits = "", step, ...more] = text.split("/");
  const range = rangeOf(limits, text, bounds);
  if (typeof range === "string") return range;
  if (more.length > 0) return `too many slashes: ${text}`;
  const every = step === undefined ? 1 : numberIn(step);
  if (typeof every === "string") return every;
  const to = step !== undefined && !limits.includes("-") ? bounds.most : range.to;
  return orderProblem({ from: range.from, to }, every, text, bounds);
}

function rangeOf(limits: string, text: string, bounds: Bounds): Range | string {
  const [low = "", high, ...more] = limits.split("-");
  if (low === "*" || low === "?") return { from: bounds.least, to: bounds.most };
  const from = valueIn(low, bounds);
  if (typeof from === "string") return from;
  if (more.length > 0) return `too many hyphens: ${text}`;
  const to = high === undefined ? from : valueIn(high, bounds);
  return typeof to === "string" ? to : { from, to };
}

function orderProblem({ from, to }: Range, every: number, text: string, { least, most }: Bounds): string | undefined {
  if (from < least) return `beginning of range (${from}) below minimum (${least}): ${text}`;
  if (to > most) return `end of range (${to}) above maximum (${most}): ${text}`;
  if (from > to) return `beginning of range (${from}) beyond end of range (${to}): ${text}`;
  return every === 0 ? `step of range should be a positive number: ${text}` : undefined;
}

function valueIn(text: string, { least, names }: Bounds): number | string {
  const index = names?.indexOf(text.toLowerCase()) ?? -1;
  return index < 0 ? numberIn(text) : index + least;
}

function numberIn(text: string): number | string {
  if (!/^[-+]?\d+$/u.test(text)) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`;
  }
  return text.startsWith("-") ? `negative number (${Number(text)}) not allowed: ${text}` : Number(text);
}
