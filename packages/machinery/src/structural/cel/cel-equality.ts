import { CelError, noSuchOverload } from "./cel-error.ts";
import {
  CelDuration,
  CelList,
  CelMap,
  CelOpaque,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
} from "./cel-value.ts";

/** `==`: numbers by their value, lists and maps by what is in them; values of different types are not equal. */
export function equalValues(a: CelValue, b: CelValue): boolean {
  if (a === b) return true;
  if (a === null || b === null) return false;
  const left = numberOf(a);
  const right = numberOf(b);
  if (left !== undefined && right !== undefined) return left == right;
  if (a instanceof CelList) return b instanceof CelList ? equalLists(a, b) : false;
  if (a instanceof CelMap) return b instanceof CelMap ? equalMaps(a, b) : false;
  return typeof a === "object" && typeof b === "object" && equalObjects(a, b);
}

function equalObjects(a: object, b: CelValue): boolean {
  if (a instanceof CelTimestamp) return b instanceof CelTimestamp && a.nanos === b.nanos;
  if (a instanceof CelDuration) return b instanceof CelDuration && a.nanos === b.nanos;
  if (a instanceof CelTypeValue) return b instanceof CelTypeValue && a.name === b.name;
  if (a instanceof CelOptional) return b instanceof CelOptional && equalOptionals(a, b);
  if (a instanceof Uint8Array)
    return b instanceof Uint8Array && a.length === b.length && a.every((byte, index) => byte === b[index]);
  return a instanceof CelOpaque && a.equals(b);
}

function equalOptionals(a: CelOptional, b: CelOptional): boolean {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return equalValues(a.value, b.value);
}

/** Lists of a schema can be sets or maps, and then their order does not count. */
export interface ListWithEquality {
  equalTo(other: CelList): boolean;
}

function equalLists(a: CelList, b: CelList): boolean {
  if ("equalTo" in a) return (a as unknown as ListWithEquality).equalTo(b);
  return equalInOrder(a, b);
}

export function equalInOrder(a: CelList, b: CelList): boolean {
  if (a.size !== b.size) return false;
  for (let index = 0; index < a.size; index++) if (!equalValues(a.get(index), b.get(index))) return false;
  return true;
}

function equalMaps(a: CelMap, b: CelMap): boolean {
  if ("equalTo" in a) return (a as unknown as { equalTo(other: CelMap): boolean }).equalTo(b);
  if (a.size !== b.size) return false;
  return a.keys().every((key) => {
    const left = a.find(key);
    const right = b.find(key);
    return left !== undefined && right !== undefined && equalValues(left, right);
  });
}

function numberOf(value: CelValue): bigint | number | undefined {
  if (typeof value === "bigint" || typeof value === "number") return value;
  return value instanceof CelUint ? value.value : undefined;
}

/** Less than zero, zero or more, as `<` and `>` see it. */
export function compareValues(a: CelValue, b: CelValue): number {
  const left = orderedOf(a);
  const right = orderedOf(b);
  if (left === undefined || right === undefined || (typeof left === "string") !== (typeof right === "string"))
    throw noSuchOverload();
  if (typeof left === "number" && Number.isNaN(left)) throw new CelError("NaN values cannot be ordered");
  if (typeof right === "number" && Number.isNaN(right)) throw new CelError("NaN values cannot be ordered");
  return left < right ? -1 : left > right ? 1 : 0;
}

function orderedOf(value: CelValue): bigint | number | string | undefined {
  if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") return value;
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (value instanceof CelUint) return value.value;
  if (value instanceof CelTimestamp || value instanceof CelDuration) return value.nanos;
  return value instanceof Uint8Array ? String.fromCharCode(...value) : undefined;
}
