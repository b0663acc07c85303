import { parseTime } from "@stowage/machinery";

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** How long ago things were, at one moment. */
export class Ages {
  readonly #nowMs: number;

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  /** Since a time as objects have it. */
  since(time: string | null | undefined): string {
    return time === undefined || time === null || time === "" ? "<unknown>" : humanDuration(this.sinceMs(time));
  }

  /** Throws when it is no time. */
  sinceMs(time: string): number {
    return this.#nowMs - parseTime(time);
  }
}

/**
 * Two or three digits that matter, as kubectl shows them: `119s`, `3m2s`, `12m`, `5h30m`, `2d5h`, `400d`, `3y20d`. Clocks that differ by
 * a second are forgiven; what lies further ahead is no age.
 */
export function humanDuration(durationMs: number): string {
  const seconds = Math.trunc(durationMs / secondMs);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(durationMs / minuteMs);
  if (minutes < 10) return pair(minutes, "m", seconds % 60, "s");
  if (minutes < 3 * 60) return `${minutes}m`;
  const hours = Math.trunc(durationMs / hourMs);
  if (hours < 8) return pair(hours, "h", minutes % 60, "m");
  if (hours < 48) return `${hours}h`;
  return inDays(hours);
}

function inDays(hours: number): string {
  const days = Math.trunc(hours / 24);
  if (days < 8) return pair(days, "d", hours % 24, "h");
  if (days < 365 * 2) return `${days}d`;
  const years = Math.trunc(days / 365);
  return days < 365 * 8 ? pair(years, "y", days % 365, "d") : `${years}y`;
}

/** The smaller unit is left out when there is none of it. */
function pair(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}
