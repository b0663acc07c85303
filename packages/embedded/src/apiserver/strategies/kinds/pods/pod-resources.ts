import type { Quantity } from "@stowage/machinery";
import type { JsonObject } from "@stowage/machinery/apply";
import { fieldsOf } from "../../json-fields.ts";
import { amountOf } from "../amounts.ts";
import { itemsOf } from "./checks/field-checks.ts";

export type Amounts = ReadonlyMap<string, Quantity>;

/**
 * What the containers of a Pod ask for together, or may have: those that run at once are added, and one that runs before the others
 * counts for itself and for the sidecars that were started before it.
 */
export function containerTotal(spec: JsonObject, kind: "requests" | "limits"): Amounts {
  const amountsOf = (container: JsonObject) => readAmounts(fieldsOf(fieldsOf(container["resources"])[kind]));
  let total = itemsOf(spec["containers"]).map(amountsOf).reduce(sum, new Map());
  let sidecars: Amounts = new Map();
  let most: Amounts = new Map();
  for (const container of itemsOf(spec["initContainers"])) {
    const own = amountsOf(container);
    const isSidecar = container["restartPolicy"] === "Always";
    if (isSidecar) {
      total = sum(total, own);
      sidecars = sum(sidecars, own);
    }
    most = largest(most, isSidecar ? sidecars : sum(own, sidecars));
  }
  return largest(total, most);
}

function readAmounts(amounts: JsonObject): Amounts {
  return new Map(
    Object.entries(amounts).flatMap(([name, value]) => {
      const amount = amountOf(value);
      return amount === undefined ? [] : [[name, amount] as const];
    }),
  );
}

function sum(a: Amounts, b: Amounts): Amounts {
  return merged(a, b, (left, right) => left.add(right));
}

function largest(a: Amounts, b: Amounts): Amounts {
  return merged(a, b, (left, right) => (right.compare(left) > 0 ? right : left));
}

function merged(a: Amounts, b: Amounts, merge: (left: Quantity, right: Quantity) => Quantity): Amounts {
  const result = new Map(a);
  for (const [name, amount] of b) {
    const before = result.get(name);
    result.set(name, before === undefined ? amount : merge(before, amount));
  }
  return result;
}
