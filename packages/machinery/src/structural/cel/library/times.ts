import { CelError } from "../cel-error.ts";
import type { CelDuration, CelTimestamp } from "../cel-value.ts";
import { method, type Overload } from "./overload.ts";

const nanosPerMs = 1_000_000n;

type Part = (date: Date) => number;

const parts: Readonly<Record<string, Part>> = {
  getFullYear: (date) => date.getUTCFullYear(),
  getMonth: (date) => date.getUTCMonth(),
  getDate: (date) => date.getUTCDate(),
  getDayOfMonth: (date) => date.getUTCDate() - 1,
  getDayOfWeek: (date) => date.getUTCDay(),
  getDayOfYear: (date) => Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000),
  getHours: (date) => date.getUTCHours(),
  getMinutes: (date) => date.getUTCMinutes(),
  getSeconds: (date) => date.getUTCSeconds(),
  getMilliseconds: (date) => date.getUTCMilliseconds(),
};

const durations: Readonly<Record<string, (nanos: bigint) => bigint>> = {
  getHours: (nanos) => nanos / 3_600_000_000_000n,
  getMinutes: (nanos) => nanos / 60_000_000_000n,
  getSeconds: (nanos) => nanos / 1_000_000_000n,
  getMilliseconds: (nanos) => nanos / nanosPerMs,
};

export const timeOverloads: readonly Overload[] = [
  ...Object.entries(parts).flatMap(([name, part]) => [
    method<[CelTimestamp]>(name, "timestamp", "int", ([time]) => BigInt(part(dateOf(time, "UTC")))),
    method<[CelTimestamp, string]>(name, "timestamp, string", "int", ([time, zone]) =>
      BigInt(part(dateOf(time, zone))),
    ),
  ]),
  ...Object.entries(durations).map(([name, part]) =>
    method<[CelDuration]>(name, "duration", "int", ([{ nanos }]) => part(nanos)),
  ),
];

/** The clock on the wall of a zone, as if it were UTC. */
function dateOf({ nanos }: CelTimestamp, zone: string): Date {
  const milliseconds = Number(nanos / nanosPerMs) - (nanos < 0n && nanos % nanosPerMs !== 0n ? 1 : 0);
  return new Date(milliseconds + offsetOf(zone, milliseconds));
}

function offsetOf(zone: string, milliseconds: number): number {
  if (zone === "" || zone === "UTC") return 0;
  const fixed = /^([+-]?)(\d{2}):(\d{2})$/.exec(zone);
  if (fixed !== null) return (Number(fixed[2]) * 60 + Number(fixed[3])) * 60_000 * (fixed[1] === "-" ? -1 : 1);
  return namedOffset(zone, milliseconds);
}

function namedOffset(zone: string, milliseconds: number): number {
  try {
    const name = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" })
      .formatToParts(milliseconds)
      .find(({ type }) => type === "timeZoneName")?.value;
    const match = /GMT([+-])(\d{2}):(\d{2})/.exec(name ?? "");
    if (match === null) return 0;
    return (Number(match[2]) * 60 + Number(match[3])) * 60_000 * (match[1] === "-" ? -1 : 1);
  } catch {
    throw new CelError(`unknown time zone ${zone}`);
  }
}
