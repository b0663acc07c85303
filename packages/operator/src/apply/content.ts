import { Quantity } from "@stowage/machinery";
import { isFields } from "./loose-object.ts";

/** Whether both say the same; nothing, null, an empty list and an empty object are alike, as they are to the API server. */
export function isSameContent(left: unknown, right: unknown): boolean {
  if (isNothing(left) || isNothing(right)) return isNothing(left) && isNothing(right);
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => isSameContent(item, right[index]));
  }
  if (!isFields(left) || !isFields(right)) return left === right;
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((name) =>
    isSameContent(left[name], right[name]),
  );
}

/** The fields that hold quantities, which the API server writes in its own way: `1000m` becomes `1`. */
const quantityFields: ReadonlySet<string> = new Set(["requests", "limits", "sizeLimit", "storage", "divisor"]);

export interface Containment {
  /** The API server leaves out false, 0 and "" of built-in kinds, so that these may be missing; CRDs keep them. */
  readonly mayDropZeros: boolean;
}

/**
 * Whether all that is wanted is there. Objects may have more fields than wanted, which the server or others have added; lists may
 * not have more items.
 */
export function isContained(wanted: unknown, actual: unknown, how: Containment): boolean {
  return contains(wanted, actual, how, false);
}

function contains(wanted: unknown, actual: unknown, how: Containment, isQuantity: boolean): boolean {
  if (isNothing(wanted)) return true;
  if (actual === undefined && how.mayDropZeros && isZero(wanted)) return true;
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(actual) &&
      wanted.length === actual.length &&
      wanted.every((item, index) => contains(item, actual[index], how, isQuantity))
    );
  }
  if (isFields(wanted)) {
    const there = isFields(actual) ? actual : undefined;
    return Object.entries(wanted).every(([name, value]) =>
      contains(value, there?.[name], how, isQuantity || quantityFields.has(name)),
    );
  }
  return wanted === actual || (isQuantity && isSameQuantity(wanted, actual));
}

function isSameQuantity(wanted: unknown, actual: unknown): boolean {
  try {
    return Quantity.parse(String(wanted)).compare(Quantity.parse(String(actual))) === 0;
  } catch {
    return false; // Whatever is no quantity was compared as it is already.
  }
}

function isNothing(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return Array.isArray(value) ? value.length === 0 : isFields(value) && Object.values(value).every(isNothing);
}

function isZero(value: unknown): boolean {
  return value === false || value === 0 || value === "";
}
