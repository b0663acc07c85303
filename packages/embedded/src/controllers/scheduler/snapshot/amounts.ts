import { Quantity } from "@stowage/machinery";

/** Amounts of resources by name: of cpu in thousandths, of all others in what they are counted in. */
export type Amounts = ReadonlyMap<string, bigint>;

export const noAmounts: Amounts = new Map();

export function amountsFrom(resources: Readonly<Record<string, unknown>> | undefined): Amounts {
  return new Map(
    Object.entries(resources ?? {}).map(([name, value]) => {
      const quantity = Quantity.fromJson(value);
      return [name, name === "cpu" ? quantity.milliValue() : quantity.value()];
    }),
  );
}

export function amountOf(amounts: Amounts, name: string): bigint {
  return amounts.get(name) ?? 0n;
}

export function sumOf(all: Iterable<Amounts>): Amounts {
  const sum = new Map<string, bigint>();
  for (const amounts of all) {
    for (const [name, amount] of amounts) sum.set(name, (sum.get(name) ?? 0n) + amount);
  }
  return sum;
}

/** Of each resource the most that one of them has. */
export function mostOf(all: Iterable<Amounts>): Amounts {
  const most = new Map<string, bigint>();
  for (const amounts of all) {
    for (const [name, amount] of amounts) {
      const known = most.get(name);
      if (known === undefined || known < amount) most.set(name, amount);
    }
  }
  return most;
}
