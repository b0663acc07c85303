import { Quantity } from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { fieldsOf } from "../strategies/index.ts";
import { amountOf } from "../strategies/kinds/amounts.ts";

/** Amounts by the name of the resource. */
export type ResourceList = ReadonlyMap<string, Quantity>;

export const one: Quantity = Quantity.parse("1");

/** Without what is no amount: other checks find that. */
export function resourceList(value: JsonValue | undefined): ResourceList {
  const entries = Object.entries(fieldsOf(value)).map(([name, amount]) => [name, amountOf(amount)] as const);
  return new Map(entries.filter((entry): entry is [string, Quantity] => entry[1] !== undefined));
}

export function asJson(list: ResourceList): JsonObject {
  return Object.fromEntries([...list].toSorted(byName).map(([name, amount]) => [name, amount.toString()]));
}

export function sum(a: ResourceList, b: ResourceList): ResourceList {
  const result = new Map(a);
  for (const [name, amount] of b) result.set(name, a.get(name)?.add(amount) ?? amount);
  return result;
}

/** Of both, whichever is more, resource by resource. */
export function larger(a: ResourceList, b: ResourceList): ResourceList {
  const result = new Map(a);
  for (const [name, amount] of b) {
    const known = a.get(name);
    if (known === undefined || amount.compare(known) > 0) result.set(name, amount);
  }
  return result;
}

export function onlyNames(list: ResourceList, isWanted: (name: string) => boolean): ResourceList {
  return new Map([...list].filter(([name]) => isWanted(name)));
}

/** `cpu=1,pods=2` */
export function listText(list: ResourceList): string {
  return [...list]
    .toSorted(byName)
    .map(([name, amount]) => `${name}=${amount.toString()}`)
    .join(",");
}

function byName([a]: readonly [string, Quantity], [b]: readonly [string, Quantity]): number {
  return a < b ? -1 : 1;
}
