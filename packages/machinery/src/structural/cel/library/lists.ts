import { compareValues, equalValues } from "../cel-equality.ts";
import { CelError, noSuchOverload } from "../cel-error.ts";
import { CelDuration, CelList, CelUint, type CelValue, kindOf, PlainList } from "../cel-value.ts";
import type { Meter } from "../meter.ts";
import { checkedInt } from "./operators.ts";
import { fn, method, type Overload } from "./overload.ts";

const comparable = ["int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes"];
const mostRange = 10_000_000;

export const listOverloads: readonly Overload[] = [
  ...comparable.flatMap((type) => [
    method<[CelList]>("isSorted", `list<${type}>`, "bool", ([list]) => isSorted([...list])),
    method<[CelList]>("min", `list<${type}>`, type, ([list]) => extreme(list, "min", -1)),
    method<[CelList]>("max", `list<${type}>`, type, ([list]) => extreme(list, "max", 1)),
    method<[CelList]>("sort", `list<${type}>`, `list<${type}>`, ([list], meter) => sorted([...list], [...list], meter)),
  ]),
  method<[CelList]>("sum", "list<int>", "int", ([list]) => sumOf(list, 0n)),
  method<[CelList]>("sum", "list<uint>", "uint", ([list]) => sumOf(list, new CelUint(0n))),
  method<[CelList]>("sum", "list<double>", "double", ([list]) => sumOf(list, 0)),
  method<[CelList]>("sum", "list<duration>", "duration", ([list]) => sumOf(list, new CelDuration(0n))),
  method<[CelList, CelValue]>("indexOf", "list<T>, T", "int", ([list, item]) =>
    BigInt([...list].findIndex((other) => equalValues(other, item))),
  ),
  method<[CelList, CelValue]>("lastIndexOf", "list<T>, T", "int", ([list, item]) =>
    BigInt([...list].findLastIndex((other) => equalValues(other, item))),
  ),
  method<[CelList, bigint, bigint]>("slice", "list<T>, int, int", "list<T>", ([list, from, to]) =>
    slice(list, from, to),
  ),
  method<[CelList]>("flatten", "list<list<T>>", "list<T>", ([list], meter) => new PlainList(flattened(list, 1, meter))),
  method<[CelList, bigint]>("flatten", "list<dyn>, int", "list<dyn>", ([list, depth], meter) => {
    if (depth < 0n) throw new CelError("level must be non-negative");
    return new PlainList(flattened(list, Number(depth), meter));
  }),
  fn<[bigint]>("lists.range", "int", "list<int>", ([count], meter) => {
    const length = Math.min(Number(count), mostRange);
    meter.spend(Math.max(length, 0));
    return new PlainList(Array.from({ length: Math.max(length, 0) }, (_, index) => BigInt(index)));
  }),
  method<[CelList]>("reverse", "list<T>", "list<T>", ([list], meter) => {
    meter.spend(list.size);
    return new PlainList([...list].toReversed());
  }),
  method<[CelList]>("distinct", "list<T>", "list<T>", ([list], meter) => distinct(list, meter)),
  fn<[CelList, CelList]>("sets.contains", "list<T>, list<T>", "bool", ([list, part], meter) =>
    containsAll(list, part, meter),
  ),
  fn<[CelList, CelList]>(
    "sets.equivalent",
    "list<T>, list<T>",
    "bool",
    ([a, b], meter) => containsAll(a, b, meter) && containsAll(b, a, meter),
  ),
  fn<[CelList, CelList]>("sets.intersects", "list<T>, list<T>", "bool", ([a, b], meter) => {
    meter.spend(a.size * b.size);
    return [...a].some((item) => has(b, item));
  }),
];

function isSorted(items: readonly CelValue[]): boolean {
  return items.every((item, index) => index === 0 || compareValues(items[index - 1] ?? null, item) <= 0);
}

function extreme(list: CelList, name: string, sign: 1 | -1): CelValue {
  const items = [...list];
  const [first, ...rest] = items;
  if (first === undefined) throw new CelError(`${name} called on empty list`);
  return rest.reduce((best, next) => (compareValues(next, best) * sign > 0 ? next : best), first);
}

function sumOf(list: CelList, zero: CelValue): CelValue {
  let sum = zero;
  for (const item of list) sum = added(sum, item);
  return sum;
}

function added(a: CelValue, b: CelValue): CelValue {
  if (typeof a === "bigint" && typeof b === "bigint") return checkedInt(a + b);
  if (typeof a === "number" && typeof b === "number") return a + b;
  if (a instanceof CelUint && b instanceof CelUint) return new CelUint(a.value + b.value);
  if (a instanceof CelDuration && b instanceof CelDuration) return new CelDuration(a.nanos + b.nanos);
  throw noSuchOverload();
}

function slice(list: CelList, from: bigint, to: bigint): CelList {
  if (from < 0n || to < 0n) throw new CelError(`cannot slice(${from}, ${to}), negative indexes not supported`);
  if (from > to)
    throw new CelError(`cannot slice(${from}, ${to}), start index must be less than or equal to end index`);
  if (to > BigInt(list.size)) throw new CelError(`cannot slice(${from}, ${to}), list is length ${list.size}`);
  return new PlainList([...list].slice(Number(from), Number(to)));
}

function flattened(list: CelList, depth: number, meter: Meter): CelValue[] {
  meter.spend(list.size);
  return [...list].flatMap((item) =>
    item instanceof CelList && depth > 0 ? flattened(item, depth - 1, meter) : [item],
  );
}

/** The items in the order of their keys. */
export function sorted(items: readonly CelValue[], keys: readonly CelValue[], meter: Meter): PlainList {
  meter.spend(items.length * Math.ceil(Math.log2(items.length + 1)));
  const kinds = new Set(keys.map(kindOf));
  if (kinds.size > 1) throw new CelError("list elements must have the same type");
  const order = [...items.keys()].sort((a, b) => compareValues(keys[a] ?? null, keys[b] ?? null));
  return new PlainList(order.map((index) => items[index] ?? null));
}

function distinct(list: CelList, meter: Meter): PlainList {
  const found: CelValue[] = [];
  for (const item of list) {
    meter.spend(1 + found.length * 0.1);
    if (!found.some((other) => equalValues(other, item))) found.push(item);
  }
  return new PlainList(found);
}

function containsAll(list: CelList, part: CelList, meter: Meter): boolean {
  meter.spend(list.size * part.size);
  return [...part].every((item) => has(list, item));
}

function has(list: CelList, item: CelValue): boolean {
  for (const other of list) if (equalValues(other, item)) return true;
  return false;
}
