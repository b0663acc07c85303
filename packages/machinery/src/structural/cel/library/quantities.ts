import { InvalidQuantityError, Quantity } from "../../../quantity/index.ts";
import { CelError } from "../cel-error.ts";
import { CelOpaque, type CelValue } from "../cel-value.ts";
import { fn, method, type Overload } from "./overload.ts";

class CelQuantity extends CelOpaque {
  readonly typeName = "kubernetes.Quantity";
  readonly quantity: Quantity;
  /** It was written, or came of one that was, in parts of one: the original then finds no whole number in it. */
  readonly inParts: boolean;

  constructor(quantity: Quantity, inParts: boolean) {
    super();
    this.quantity = quantity;
    this.inParts = inParts;
  }

  equals(other: CelValue): boolean {
    return other instanceof CelQuantity && other.quantity.equals(this.quantity);
  }
}

type Pair = [CelQuantity, CelQuantity];
const type = "kubernetes.Quantity";

export const quantityOverloads: readonly Overload[] = [
  fn<[string]>("quantity", "string", type, ([text]) => new CelQuantity(parse(text), isInParts(text))),
  fn<[string]>("isQuantity", "string", "bool", ([text]) => isQuantity(text)),
  fn<[CelQuantity]>("sign", type, "int", ([{ quantity }]) => BigInt(quantity.compare(Quantity.zero))),
  method<[CelQuantity]>("isInteger", type, "bool", ([quantity]) => wholeOf(quantity) !== undefined),
  method<[CelQuantity]>("asInteger", type, "int", ([quantity]) => {
    const whole = wholeOf(quantity);
    if (whole === undefined) throw new CelError("cannot convert value to integer");
    return whole;
  }),
  method<[CelQuantity]>("asApproximateFloat", type, "double", ([{ quantity }]) => approximate(quantity)),
  method<Pair>("isGreaterThan", `${type}, ${type}`, "bool", ([a, b]) => a.quantity.compare(b.quantity) > 0),
  method<Pair>("isLessThan", `${type}, ${type}`, "bool", ([a, b]) => a.quantity.compare(b.quantity) < 0),
  method<Pair>("compareTo", `${type}, ${type}`, "int", ([a, b]) => BigInt(a.quantity.compare(b.quantity))),
  method<Pair>(
    "add",
    `${type}, ${type}`,
    type,
    ([a, b]) => new CelQuantity(a.quantity.add(b.quantity), a.inParts || b.inParts),
  ),
  method<Pair>(
    "sub",
    `${type}, ${type}`,
    type,
    ([a, b]) => new CelQuantity(a.quantity.subtract(b.quantity), a.inParts || b.inParts),
  ),
  method<[CelQuantity, bigint]>(
    "add",
    `${type}, int`,
    type,
    ([a, b]) => new CelQuantity(a.quantity.add(whole(b)), a.inParts),
  ),
  method<[CelQuantity, bigint]>(
    "sub",
    `${type}, int`,
    type,
    ([a, b]) => new CelQuantity(a.quantity.subtract(whole(b)), a.inParts),
  ),
];

function parse(text: string): Quantity {
  try {
    return Quantity.parse(text);
  } catch (error) {
    if (error instanceof InvalidQuantityError) throw new CelError(error.reason);
    throw error;
  }
}

function isInParts(text: string): boolean {
  return /\.\d|[num]$|[eE]-/.test(text);
}

function isQuantity(text: string): boolean {
  try {
    Quantity.parse(text);
    return true;
  } catch (error) {
    if (error instanceof InvalidQuantityError) return false;
    throw error;
  }
}

function whole(value: bigint): Quantity {
  return Quantity.fromBytes(value, "DecimalSI");
}

/** Undefined when it has a fraction, or more than 64 bits. */
function wholeOf({ quantity, inParts }: CelQuantity): bigint | undefined {
  if (inParts) return undefined;
  const value = quantity.value();
  const isWhole = whole(value).equals(quantity) && BigInt.asIntN(64, value) === value;
  return isWhole ? value : undefined;
}

function approximate(quantity: Quantity): number {
  const value = quantity.value();
  const rest = quantity.subtract(whole(value));
  return Number(value) + Number(rest.milliValue()) / 1000;
}
