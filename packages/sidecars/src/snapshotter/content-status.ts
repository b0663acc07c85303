import { isDeepStrictEqual } from "node:util";
import { formatTime } from "@stowage/machinery";
import type { ToldStatus } from "./content-kind.ts";
import type { AnyContent } from "./content-step.ts";

/** Told anew with every answer; the rest is what it was when it was first told. */
const changing: ReadonlySet<string> = new Set(["readyToUse", "volumeSnapshotInfoList"]);

/** The change of status that the driver's answer makes; undefined when it makes none. */
export function statusChange<T extends AnyContent>(content: T, told: ToldStatus<T>): object | undefined {
  const known: Readonly<Record<string, unknown>> = { ...content.status };
  const entries = Object.entries(told as Record<string, unknown>).filter(
    ([field, value]) =>
      value !== undefined &&
      (known[field] === undefined || (changing.has(field) && !isDeepStrictEqual(known[field], value))),
  );
  const change = { ...Object.fromEntries(entries), ...(known.error !== undefined && { error: null }) };
  return Object.keys(change).length === 0 ? undefined : change;
}

/** The change of status that a failure makes; undefined when it is there already. */
export function failureChange(content: AnyContent, message: string, nowMs: number): object | undefined {
  if (content.status?.error?.message === message) return undefined;
  return { readyToUse: false, error: { message, time: formatTime(nowMs) } };
}
