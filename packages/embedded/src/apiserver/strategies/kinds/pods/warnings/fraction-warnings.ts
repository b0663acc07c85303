import type { JsonValue } from "@stowage/machinery/apply";
import { goQuote } from "@stowage/machinery/structural";
import { fieldsOf } from "../../../json-fields.ts";
import { amountOf } from "../../amounts.ts";

/** There is no part of a byte. */
export function fractionWarnings(amounts: JsonValue | undefined, path: string, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const amount = amountOf(fieldsOf(amounts)[name]);
    if (amount === undefined || amount.milliValue() % 1000n === 0n) return [];
    return [`${path}[${name}]: fractional byte value ${goQuote(amount.toString())} is invalid, must be an integer`];
  });
}
