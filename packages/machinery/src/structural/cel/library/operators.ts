import { compareValues, equalValues } from "../cel-equality.ts";
import { CelError, noSuchOverload } from "../cel-error.ts";
import { CelDuration, type CelList, type CelMap, CelTimestamp, CelUint, type CelValue } from "../cel-value.ts";
import { fn, type Overload } from "./overload.ts";

const ordered = ["bool", "int", "uint", "double", "string", "bytes", "timestamp", "duration"];
const numbers = ["int", "uint", "double"];

export const operatorOverloads: readonly Overload[] = [
  // This is here for its types: the compiler evaluates it, since not all of its arguments may be.
  fn<[boolean, CelValue, CelValue]>("_?_:_", "bool, T, T", "T", ([condition, a, b]) => (condition ? a : b)),
  fn<[CelValue, CelValue]>("_==_", "T, T", "bool", ([a, b]) => equalValues(a, b)),
  fn<[CelValue, CelValue]>("_!=_", "T, T", "bool", ([a, b]) => !equalValues(a, b)),
  ...comparison("_<_", (order) => order < 0),
  ...comparison("_<=_", (order) => order <= 0),
  ...comparison("_>_", (order) => order > 0),
  ...comparison("_>=_", (order) => order >= 0),
  fn<[boolean]>("!_", "bool", "bool", ([value]) => !value),
  fn<[bigint]>("-_", "int", "int", ([value]) => checkedInt(-value)),
  fn<[number]>("-_", "double", "double", ([value]) => -value),
  fn<[CelValue, CelList]>("@in", "T, list<T>", "bool", ([item, list], meter) => {
    meter.spend(list.size);
    for (const other of list) if (equalValues(item, other)) return true;
    return false;
  }),
  fn<[CelValue, CelMap]>("@in", "K, map<K, V>", "bool", ([key, map]) => map.find(key) !== undefined),
  ...arithmetic(
    "_+_",
    (a, b) => a + b,
    (a, b) => a + b,
  ),
  ...arithmetic(
    "_-_",
    (a, b) => a - b,
    (a, b) => a - b,
  ),
  ...arithmetic(
    "_*_",
    (a, b) => a * b,
    (a, b) => a * b,
  ),
  ...arithmetic(
    "_/_",
    (a, b) => a / nonZero(b, "division by zero"),
    (a, b) => a / b,
  ),
  ...wholeArithmetic("_%_", (a, b) => a % nonZero(b, "modulus by zero")),
  fn<[string, string]>("_+_", "string, string", "string", ([a, b]) => a + b),
  fn<[Uint8Array, Uint8Array]>("_+_", "bytes, bytes", "bytes", ([a, b]) => Uint8Array.from([...a, ...b])),
  fn<[CelList, CelList]>("_+_", "list<T>, list<T>", "list<T>", ([a, b], meter) => {
    meter.spend(a.size + b.size);
    return a.join(b);
  }),
  fn<[CelDuration, CelDuration]>("_+_", "duration, duration", "duration", ([a, b]) => duration(a.nanos + b.nanos)),
  fn<[CelTimestamp, CelDuration]>("_+_", "timestamp, duration", "timestamp", ([a, b]) => time(a.nanos + b.nanos)),
  fn<[CelDuration, CelTimestamp]>("_+_", "duration, timestamp", "timestamp", ([a, b]) => time(a.nanos + b.nanos)),
  fn<[CelDuration, CelDuration]>("_-_", "duration, duration", "duration", ([a, b]) => duration(a.nanos - b.nanos)),
  fn<[CelTimestamp, CelDuration]>("_-_", "timestamp, duration", "timestamp", ([a, b]) => time(a.nanos - b.nanos)),
  fn<[CelTimestamp, CelTimestamp]>("_-_", "timestamp, timestamp", "duration", ([a, b]) => duration(a.nanos - b.nanos)),
  fn<[CelList, CelValue]>("_[_]", "list<T>, int", "T", ([list, index]) => itemAt(list, index)),
  fn<[CelMap, CelValue]>("_[_]", "map<K, V>, K", "V", ([map, key]) => valueAt(map, key)),
];

function comparison(name: string, holds: (order: number) => boolean): Overload[] {
  const pairs = [
    ...ordered.map((type) => [type, type]),
    ...numbers.flatMap((left) => numbers.filter((right) => right !== left).map((right) => [left, right])),
  ];
  return pairs.map((pair) =>
    fn<[CelValue, CelValue]>(name, pair.join(", "), "bool", ([a, b]) => holds(compareValues(a, b))),
  );
}

type OnIntegers = (a: bigint, b: bigint) => bigint;

function arithmetic(name: string, onIntegers: OnIntegers, onDoubles: (a: number, b: number) => number): Overload[] {
  return [
    ...wholeArithmetic(name, onIntegers),
    fn<[number, number]>(name, "double, double", "double", ([a, b]) => onDoubles(a, b)),
  ];
}

function wholeArithmetic(name: string, onIntegers: OnIntegers): Overload[] {
  return [
    fn<[bigint, bigint]>(name, "int, int", "int", ([a, b]) => checkedInt(onIntegers(a, b))),
    fn<[CelUint, CelUint]>(name, "uint, uint", "uint", ([a, b]) => checkedUint(onIntegers(a.value, b.value))),
  ];
}

function nonZero(value: bigint, problem: string): bigint {
  if (value === 0n) throw new CelError(problem);
  return value;
}

export function checkedInt(value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value) throw new CelError("integer overflow");
  return value;
}

export function checkedUint(value: bigint): CelUint {
  if (BigInt.asUintN(64, value) !== value) throw new CelError("unsigned integer overflow");
  return new CelUint(value);
}

function duration(nanos: bigint): CelDuration {
  if (BigInt.asIntN(64, nanos) !== nanos) throw new CelError("integer overflow");
  return new CelDuration(nanos);
}

const firstTime = -62_135_596_800n * 1_000_000_000n;
const lastTime = 253_402_300_800n * 1_000_000_000n;

export function time(nanos: bigint): CelTimestamp {
  if (nanos < firstTime || nanos >= lastTime) throw new CelError("timestamp overflow");
  return new CelTimestamp(nanos);
}

/** Also for an index that is a whole double, as one out of untyped data is. */
export function itemAt(list: CelList, index: CelValue): CelValue {
  const position = indexOf(index);
  if (position < 0 || position >= list.size) throw new CelError(`index out of bounds: ${position}`);
  return list.get(position);
}

function indexOf(index: CelValue): number {
  if (typeof index === "bigint") return Number(index);
  if (index instanceof CelUint) return Number(index.value);
  if (typeof index === "number" && Number.isInteger(index)) return index;
  throw noSuchOverload();
}

export function valueAt(map: CelMap, key: CelValue): CelValue {
  const value = map.find(key);
  if (value === undefined) throw new CelError(`no such key: ${keyText(key)}`);
  return value;
}

function keyText(key: CelValue): string {
  if (key instanceof CelUint) return String(key.value);
  return typeof key === "object" ? "" : String(key);
}
