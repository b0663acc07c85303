import type { JsonValue } from "./json-value.ts";

/** The keys of a list in the order wanted, each with its first position. */
export function positionsOf(keys: readonly JsonValue[]): ReadonlyMap<JsonValue, number> {
  const positions = new Map<JsonValue, number>();
  for (const [position, key] of keys.entries()) if (!positions.has(key)) positions.set(key, position);
  return positions;
}

interface Arrangement<T> {
  readonly keyOf: (item: T) => JsonValue;
  /** The order that the patch asks for. */
  readonly wanted: ReadonlyMap<JsonValue, number>;
  /** The order that the list had. */
  readonly before: ReadonlyMap<JsonValue, number>;
}

/**
 * Puts merged items in order: those the patch names stand as it names them, the others as they stood before, and the two
 * rows are threaded so that an item stays before those it was already before.
 */
export function arrange<T>(items: readonly T[], arrangement: Arrangement<T>): T[] {
  const { keyOf, wanted, before } = arrangement;
  const named = items.filter((item) => wanted.has(keyOf(item)));
  const rest = items.filter((item) => !wanted.has(keyOf(item)));
  const byPosition = (order: ReadonlyMap<JsonValue, number>) => (a: T, b: T) =>
    (order.get(keyOf(a)) ?? 0) - (order.get(keyOf(b)) ?? 0);
  const isBefore = (a: T, b: T) => (before.get(keyOf(a)) ?? Infinity) < (before.get(keyOf(b)) ?? -Infinity);
  const isKnown = (item: T) => before.has(keyOf(item));
  const others = rest.every(isKnown) ? rest.toSorted(byPosition(before)) : insertEach(rest, isKnown, isBefore);
  return thread(others, named.toSorted(byPosition(wanted)), isBefore);
}

/**
 * Sorts what is neither in the order asked for nor in the list before, which only a contradictory patch leaves. The server
 * sorts it by insertion and takes what it cannot compare for smaller: nobody would ask for the result, but clients get it.
 */
function insertEach<T>(items: readonly T[], isKnown: (item: T) => boolean, isBefore: (a: T, b: T) => boolean): T[] {
  const sorted: T[] = [];
  for (const item of items) {
    const staysAfter = (other: T) => isKnown(item) && isKnown(other) && !isBefore(item, other);
    sorted.splice(sorted.findLastIndex(staysAfter) + 1, 0, item);
  }
  return sorted;
}

function thread<T>(rest: readonly T[], named: readonly T[], isBefore: (a: T, b: T) => boolean): T[] {
  const threaded: T[] = [];
  let taken = 0;
  for (const item of named) {
    for (let next = rest[taken]; taken < rest.length && isBefore(next as T, item); next = rest[taken]) {
      threaded.push(next as T);
      taken++;
    }
    threaded.push(item);
  }
  return [...threaded, ...rest.slice(taken)];
}
