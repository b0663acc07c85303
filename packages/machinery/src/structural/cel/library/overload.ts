import { type CelType, parseType, splitTypes } from "../cel-type.ts";
import type { CelValue } from "../cel-value.ts";
import type { Meter } from "../meter.ts";

/** One form of a function. */
export interface Overload {
  /** With its namespace, such as `sets.contains`. */
  readonly name: string;
  /** Called on its first argument. */
  readonly isMember: boolean;
  readonly parameters: readonly CelType[];
  readonly result: CelType;
  apply(args: readonly CelValue[], meter: Meter): CelValue;
}

type Apply<Args extends readonly CelValue[]> = (args: Args, meter: Meter) => CelValue;

/** A function that is called by its name alone. Its types are as `parseType` reads them. */
export function fn<Args extends readonly CelValue[]>(
  name: string,
  parameters: string,
  result: string,
  apply: Apply<Args>,
): Overload {
  return overload(name, parameters, result, { isMember: false, apply });
}

/** A function that is called on a value, the first of its parameters. */
export function method<Args extends readonly CelValue[]>(
  name: string,
  parameters: string,
  result: string,
  apply: Apply<Args>,
): Overload {
  return overload(name, parameters, result, { isMember: true, apply });
}

function overload(
  name: string,
  parameters: string,
  result: string,
  rest: Pick<Overload, "isMember" | "apply">,
): Overload {
  return { name, parameters: splitTypes(parameters).map(parseType), result: parseType(result), ...rest };
}
