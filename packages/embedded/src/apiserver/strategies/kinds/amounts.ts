import { InvalidQuantityError, Quantity } from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";

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

/** Of a list of resources, whose amounts are kept to a thousandth. */
export function roundedAmounts(amounts: JsonObject): JsonObject {
  const rounded = Object.entries(amounts).map(([name, value]): [string, JsonValue] => [
    name,
    amountOf(value)?.roundUpToMilli().toString() ?? value,
  ]);
  return Object.fromEntries(rounded);
}
