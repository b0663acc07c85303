import type { Quantity } from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { duplicate, type FieldError, forbidden, invalid, notFound, required } from "@stowage/machinery/structural";
import { fieldsOf, textOf } from "../../../../json-fields.ts";
import { amountOf } from "../../../amounts.ts";
import { itemErrors, keyOf, when } from "../field-checks.ts";
import { labelNameErrors } from "../value-checks.ts";
import { containerResourceErrors, hugePagePrefix, isOvercommitted, mustBeWhole } from "./resource-names.ts";

export type ResourceNameCheck = (name: string, path: string) => FieldError[];

export interface ResourceCheck {
  readonly names?: ResourceNameCheck;
  readonly claimNames: ReadonlySet<string>;
}

/** What a container, or a Pod, asks for, and what it may have. */
export function resourceErrors(resources: JsonObject, path: string, check: ResourceCheck): FieldError[] {
  const limits = fieldsOf(resources["limits"]);
  const requests = fieldsOf(resources["requests"]);
  const names = check.names ?? containerResourceErrors;
  const asked = [...Object.keys(limits), ...Object.keys(requests)];
  const hasPages = asked.some((name) => name.startsWith(hugePagePrefix));
  const hasOthers = asked.includes("cpu") || asked.includes("memory");
  return [
    ...amountErrors(limits, `${path}.limits`, names),
    ...Object.entries(requests).flatMap(([name, amount]) => [
      ...names(name, keyOf(`${path}.requests`, name)),
      ...quantityErrors(name, amount, keyOf(`${path}.requests`, name)),
      ...boundErrors(name, [amountOf(amount), amountOf(limits[name])], path),
      ...pageErrors(name, amount, keyOf(`${path}.requests`, name)),
    ]),
    ...when(hasPages && !hasOthers, forbidden(path, "HugePages require cpu or memory")),
    ...claimErrors(resources["claims"], `${path}.claims`, check.claimNames),
  ];
}

function amountErrors(amounts: JsonObject, path: string, names: ResourceNameCheck): FieldError[] {
  return Object.entries(amounts).flatMap(([name, amount]) => [
    ...names(name, keyOf(path, name)),
    ...quantityErrors(name, amount, keyOf(path, name)),
    ...pageErrors(name, amount, keyOf(path, name)),
  ]);
}

export function quantityErrors(name: string, value: JsonValue, path: string): FieldError[] {
  const amount = amountOf(value);
  if (amount === undefined) return [];
  const isWhole = amount.milliValue() % 1000n === 0n;
  return [
    ...when(amount.isNegative(), invalid(path, amount.toString(), "must be greater than or equal to 0")),
    ...when(mustBeWhole(name) && !isWhole, invalid(path, amount.toString(), "must be an integer")),
  ];
}

function pageErrors(name: string, value: JsonValue, path: string): FieldError[] {
  const amount = amountOf(value);
  if (!name.startsWith(hugePagePrefix) || amount === undefined || isMultiple(amount, name)) return [];
  const shown = amount.toString();
  return [invalid(path, shown, `${shown} is not positive integer multiple of ${name}`)];
}

function isMultiple(amount: Quantity, name: string): boolean {
  const size = amountOf(name.slice(hugePagePrefix.length));
  if (size === undefined || size.isNegative() || size.isZero() || size.milliValue() % 1000n !== 0n) return false;
  return amount.value() % size.value() === 0n;
}

type Bounds = readonly [request: Quantity | undefined, limit: Quantity | undefined];

function boundErrors(name: string, [request, limit]: Bounds, path: string): FieldError[] {
  if (limit === undefined || request === undefined) {
    const detail = "Limit must be set for non overcommitable resources";
    return when(!isOvercommitted(name), required(`${path}.limits`, detail));
  }
  const of = `${name} limit of ${limit.toString()}`;
  const at = `${path}.requests`;
  if (!isOvercommitted(name) && !request.equals(limit)) {
    return [invalid(at, request.toString(), `must be equal to ${of}`)];
  }
  return when(request.compare(limit) > 0, invalid(at, request.toString(), `must be less than or equal to ${of}`));
}

function claimErrors(value: JsonValue | undefined, path: string, known: ReadonlySet<string>): FieldError[] {
  const seen = new Set<string>();
  return itemErrors(value, path, (claim, at) => {
    const name = textOf(claim["name"]);
    if (name === "") return [required(at)];
    const errors = repeatedErrors(name, textOf(claim["request"]), { path: at, seen });
    const list = known.size === 0 ? " which is empty" : `: ${[...known].toSorted().join(", ")}`;
    const detail = `must be one of the names in pod.spec.resourceClaims${list}`;
    return [...errors, ...when(!known.has(name), notFound(at, name, detail))];
  });
}

interface Repeated {
  readonly path: string;
  readonly seen: Set<string>;
}

/** One request of a claim, or all of it, is asked for once. */
function repeatedErrors(name: string, request: string, { path, seen }: Repeated): FieldError[] {
  if (seen.has(name)) return [duplicate(path, name)];
  const key = request === "" ? name : `${name}/${request}`;
  const parts = [...seen].filter((other) => request === "" && other.startsWith(`${name}/`));
  const errors = [
    ...(request === "" ? [] : labelNameErrors(`${path}.request`, request)),
    ...when(seen.has(key), duplicate(path, key)),
    ...parts.map(() => duplicate(path, name)),
  ];
  seen.add(key);
  return errors;
}
