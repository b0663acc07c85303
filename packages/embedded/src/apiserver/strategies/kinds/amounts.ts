import { InvalidQuantityError, Quantity } from "@stowage/machinery";
import type { JsonValue } from "@stowage/machinery/apply";

/** Undefined for what is none, which other checks find. */
export function amountOf(value: JsonValue | undefined): Quantity | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  try {
    return Quantity.parse(String(value));
  } catch (error) {
    if (error instanceof InvalidQuantityError) return undefined;
    throw error;
  }
}
