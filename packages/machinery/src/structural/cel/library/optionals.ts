import { CelError } from "../cel-error.ts";
import { CelDuration, CelList, CelMap, CelOptional, CelUint, type CelValue } from "../cel-value.ts";
import { fn, method, type Overload } from "./overload.ts";

/** `or` and `orValue` are evaluated by the compiler, since their argument may not be. */
export const optionalOverloads: readonly Overload[] = [
  fn<[CelValue]>("optional.of", "T", "optional<T>", ([value]) => new CelOptional(value)),
  fn<[]>("optional.none", "", "optional<T>", () => CelOptional.none),
  fn<[CelValue]>("optional.ofNonZeroValue", "T", "optional<T>", ([value]) =>
    isZero(value) ? CelOptional.none : new CelOptional(value),
  ),
  method<[CelOptional]>("hasValue", "optional<T>", "bool", ([optional]) => optional.value !== undefined),
  method<[CelOptional]>("value", "optional<T>", "T", ([optional]) => {
    if (optional.value === undefined) throw new CelError("optional.none() dereference");
    return optional.value;
  }),
  method<[CelOptional, CelOptional]>("or", "optional<T>, optional<T>", "optional<T>", ([first, second]) =>
    first.value === undefined ? second : first,
  ),
  method<[CelOptional, CelValue]>("orValue", "optional<T>, T", "T", ([optional, value]) => optional.value ?? value),
];

function isZero(value: CelValue): boolean {
  if (value instanceof CelList || value instanceof CelMap) return value.size === 0;
  if (value instanceof CelUint) return value.value === 0n;
  if (value instanceof CelDuration) return value.nanos === 0n;
  if (value instanceof Uint8Array) return value.length === 0;
  return !value;
}
