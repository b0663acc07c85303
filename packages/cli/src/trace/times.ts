import type { Step } from "./step.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** `120ms`, `4.2s`, `1m05s`, `2h10m`, `3d04h`. */
export function spanText(spanMs: number): string {
  if (spanMs < 1000) return `${Math.round(spanMs)}ms`;
  if (spanMs < MINUTE_MS) return `${(Math.floor(spanMs / 100) / 10).toFixed(1).replace(/\.0$/u, "")}s`;
  const [size, unit, small, smallUnit] = unitsOf(spanMs);
  return `${Math.floor(spanMs / size)}${unit}${String(Math.floor((spanMs % size) / small)).padStart(2, "0")}${smallUnit}`;
}

function unitsOf(spanMs: number): readonly [number, string, number, string] {
  if (spanMs < HOUR_MS) return [MINUTE_MS, "m", 1000, "s"];
  return spanMs < DAY_MS ? [HOUR_MS, "h", MINUTE_MS, "m"] : [DAY_MS, "d", HOUR_MS, "h"];
}

/** Since the claim was made: `+0s`, `+1.250s`; of what only the second is known no more is shown. */
export function offsetText({ atMs, isExact }: Pick<Step, "atMs" | "isExact">, startedMs: number): string {
  const offsetMs = atMs - startedMs;
  const sign = offsetMs < 0 ? "-" : "+";
  const size = Math.abs(offsetMs);
  if (size >= MINUTE_MS) return `${sign}${spanText(size)}`;
  return `${sign}${isExact ? (size / 1000).toFixed(3) : Math.floor(size / 1000)}s`;
}

/** `2026-11-16 04:35:37 UTC` */
export function clockText(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, "2026-11-16T04:35:37".length).replace("T", " ")} UTC`;
}
