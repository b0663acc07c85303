import type { IntOrString } from "@stowage/machinery";

/** A number, or that many percent of the whole. What is neither is nothing: the API server lets no such value in. */
export function scaledValue(value: IntOrString | undefined, whole: number, roundsUp: boolean): number {
  if (value === undefined) return 0;
  if (typeof value === "number") return value;
  const percent = /^(\d+)%$/u.exec(value)?.[1];
  if (percent === undefined) return 0;
  const exact = (Number(percent) * whole) / 100;
  return roundsUp ? Math.ceil(exact) : Math.floor(exact);
}
