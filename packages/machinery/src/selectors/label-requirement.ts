export type Labels = Readonly<Record<string, string>>;

/** Spelled as Kubernetes spells them; `!` is "does not exist". */
export type LabelOperator = "=" | "==" | "!=" | "in" | "notin" | "gt" | "lt" | "exists" | "!";

export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

const printedOperators: Readonly<Record<LabelOperator, string>> = {
  "=": "=",
  "==": "==",
  "!=": "!=",
  in: " in ",
  notin: " notin ",
  gt: ">",
  lt: "<",
  exists: "",
  "!": "",
};

/** Whether a label's value, undefined when the object lacks the label, fits the values of a requirement. */
const tests: Readonly<Record<LabelOperator, (value: string | undefined, values: readonly string[]) => boolean>> = {
  "=": isOneOf,
  "==": isOneOf,
  in: isOneOf,
  "!=": (value, values) => !isOneOf(value, values),
  notin: (value, values) => !isOneOf(value, values),
  exists: (value) => value !== undefined,
  "!": (value) => value === undefined,
  gt: (value, [bound]) => difference(value, bound) > 0n,
  lt: (value, [bound]) => difference(value, bound) < 0n,
};

export function meetsRequirement(labels: Labels, { key, operator, values }: LabelRequirement): boolean {
  // Labels may be called "constructor": only the object's own properties count.
  return tests[operator](Object.hasOwn(labels, key) ? labels[key] : undefined, values);
}

function isOneOf(value: string | undefined, values: readonly string[]): boolean {
  return value !== undefined && values.includes(value);
}

/** Zero, and so neither greater nor less, when one of them is not an integer. */
function difference(left: string | undefined, right: string | undefined): bigint {
  const [a, b] = [parseInt64(left), parseInt64(right)];
  return a === undefined || b === undefined ? 0n : a - b;
}

export function printRequirement({ key, operator, values }: LabelRequirement): string {
  const name = operator === "!" ? `!${key}` : key;
  const list = [...values].sort().join(",");
  const isSet = operator === "in" || operator === "notin";
  return name + printedOperators[operator] + (isSet ? `(${list})` : list);
}

/** Undefined unless the text is an integer of 64 bits. */
export function parseInt64(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^[+-]?\d+$/.test(text)) return undefined;
  const value = text.startsWith("-") ? -BigInt(text.slice(1)) : BigInt(text.replace("+", ""));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
