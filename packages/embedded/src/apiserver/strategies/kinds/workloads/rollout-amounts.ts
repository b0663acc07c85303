import type { JsonValue } from "@stowage/machinery/apply";
import { type FieldError, invalid } from "@stowage/machinery/structural";
import { nonNegativeError } from "../number-checks.ts";

/** How many at once: a number of Pods, or a share of them. */
type Amount = JsonValue | undefined;

const percent = /^[0-9]+%$/u;
const percentMessage =
  "a valid percent string must be a numeric string followed by an ending '%' " +
  "(e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

export function amountErrors(amount: Amount, path: string): FieldError[] {
  if (typeof amount !== "string") return nonNegativeError(amount, path);
  return percent.test(amount) ? [] : [invalid(path, amount, percentMessage)];
}

export function wholeShareErrors(amount: Amount, path: string): FieldError[] {
  const isTooMuch = isShare(amount) && amountOf(amount) > 100;
  return isTooMuch ? [invalid(path, amount, "must not be greater than 100%")] : [];
}

/** Per cent count as numbers; texts that are neither count as nothing. */
export function amountOf(amount: Amount): number {
  if (typeof amount === "number") return amount;
  if (isShare(amount)) return Number(amount.slice(0, -1));
  return typeof amount === "string" && /^[-+]?[0-9]+$/u.test(amount) ? Number(amount) : 0;
}

function isShare(amount: Amount): amount is string {
  return typeof amount === "string" && percent.test(amount);
}
