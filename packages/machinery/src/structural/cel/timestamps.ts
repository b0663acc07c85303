import { isDate } from "../values/dates.ts";
import { CelTimestamp } from "./cel-value.ts";

const shape = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,9})\d*)?(?:[Zz]|([+-])(\d{2}):(\d{2}))?$/;

/** A time in RFC 3339; undefined for what is none. */
export function parseTimestamp(text: string): CelTimestamp | undefined {
  const match = shape.exec(text);
  if (match === null) return undefined;
  const [, date = "", hours, minutes, seconds, fraction = "", sign, zoneHours = 0, zoneMinutes = 0] = match;
  if (!isDate(date) || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const ofDay = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  const zone = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === "-" ? -1 : 1);
  const wholeSeconds = BigInt(Date.parse(`${date}T00:00:00Z`) / 1000 + ofDay - zone * 60);
  return new CelTimestamp(wholeSeconds * 1_000_000_000n + BigInt(fraction.padEnd(9, "0")), zone);
}

/** As Go writes a time: in the zone it was given in, and only as many decimals as it has. */
export function formatTimestamp({ nanos, zoneMinutes }: CelTimestamp): string {
  const seconds = nanos / 1_000_000_000n - (nanos < 0n && nanos % 1_000_000_000n !== 0n ? 1n : 0n);
  const fraction = nanos - seconds * 1_000_000_000n;
  const whole = new Date(Number(seconds) * 1000 + zoneMinutes * 60_000).toISOString().slice(0, 19);
  const decimals = fraction === 0n ? "" : `.${fraction.toString().padStart(9, "0").replace(/0+$/, "")}`;
  return `${whole}${decimals}${zoneText(zoneMinutes)}`;
}

function zoneText(minutes: number): string {
  if (minutes === 0) return "Z";
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? "-" : "+"}${String(hours).padStart(2, "0")}:${String(rest).padStart(2, "0")}`;
}
