import { Quantity } from "@stowage/machinery";
import type { JsonObject } from "@stowage/machinery/apply";
import { fieldsOf, listOf, metadataOf, specOf, textOf, textsOf } from "../../strategies/index.ts";
import { type ObjectAdmission, refusal } from "../admission-plugin.ts";
import { listText, onlyNames, type ResourceList, resourceList, sum } from "../resource-lists.ts";
import type { ScopeSelector, UsageRules } from "./usage-rules.ts";

/** What a quota has used when the write is done. */
export interface Charge {
  readonly quota: JsonObject;
  readonly used: ResourceList;
}

/** What the write would be charged, for each quota that it changes. Throws when one of them does not allow it. */
export function charges(
  admission: ObjectAdmission,
  rules: UsageRules,
  quotas: readonly JsonObject[],
  nowMs: number,
): Charge[] {
  const interesting = quotas.filter((quota) => isAboutIt(rules, quota, admission.object));
  for (const quota of interesting) checkCountable(admission, rules, quota);
  if (interesting.length === 0) return [];
  const { object, old } = admission;
  const usage = rules.usage(object, nowMs);
  const negative = [...usage].filter(([, amount]) => amount.isNegative()).map(([name]) => name);
  if (negative.length > 0) {
    throw refusal(admission, `quota usage is negative for resource(s): ${negative.toSorted().join(",")}`);
  }
  const more = old === undefined ? usage : increase(usage, rules.usage(old, nowMs));
  return interesting.flatMap((quota) => {
    const wasCounted = old !== undefined && isAboutIt(rules, quota, old);
    return chargeOf(admission, quota, withoutZeros(wasCounted ? more : usage));
  });
}

function chargeOf(admission: ObjectAdmission, quota: JsonObject, delta: ResourceList): Charge[] {
  if (delta.size === 0) return [];
  const { hard, used } = statusOf(quota);
  const requested = onlyNames(delta, (name) => hard.has(name));
  const next = sum(used, requested);
  const exceeded = [...requested.keys()].filter(
    (name) => (next.get(name)?.compare(hard.get(name) ?? Quantity.zero) ?? 0) > 0,
  );
  if (exceeded.length > 0 && admission.subresource !== "status") {
    const [wanted, known, limit] = [requested, used, hard].map((list) =>
      listText(onlyNames(list, (name) => exceeded.includes(name))),
    );
    const name = textOf(metadataOf(quota)["name"]);
    throw refusal(admission, `exceeded quota: ${name}, requested: ${wanted}, used: ${known}, limited: ${limit}`);
  }
  return requested.size === 0 ? [] : [{ quota, used: next }];
}

function statusOf(quota: JsonObject) {
  const { hard, used } = fieldsOf(quota["status"]);
  return { hard: resourceList(hard), used: resourceList(used) };
}

function isAboutIt(rules: UsageRules, quota: JsonObject, object: JsonObject): boolean {
  const { hard } = statusOf(quota);
  if (![...hard.keys()].some((name) => rules.counts(name))) return false;
  return selectorsOf(quota).every((selector) => rules.isInScope?.(object, selector) ?? false);
}

function selectorsOf(quota: JsonObject): ScopeSelector[] {
  const { scopes, scopeSelector } = specOf(quota);
  const expressions = listOf(fieldsOf(scopeSelector)["matchExpressions"]).map(fieldsOf);
  return [
    ...textsOf(scopes).map((scopeName) => ({ scopeName, operator: "Exists", values: [] })),
    ...expressions.map((each) => ({
      scopeName: textOf(each["scopeName"]),
      operator: textOf(each["operator"]),
      values: textsOf(each["values"]),
    })),
  ];
}

/** The object has to say what it needs, and what is used so far has to be known. */
function checkCountable(admission: ObjectAdmission, rules: UsageRules, quota: JsonObject): void {
  const { hard, used } = statusOf(quota);
  const limited = [...hard.keys()].filter((name) => rules.counts(name));
  const name = textOf(metadataOf(quota)["name"]);
  const problem = rules.problem?.(admission.object, limited);
  if (problem !== undefined) throw refusal(admission, `failed quota: ${name}: ${problem}`);
  if (limited.every((each) => used.has(each))) return;
  throw refusal(admission, `status unknown for quota: ${name}, resources: ${limited.toSorted().join(",")}`);
}

/** What is used less is not given back here: a controller counts anew. */
function increase(now: ResourceList, before: ResourceList): ResourceList {
  return new Map(
    [...now].map(([name, amount]) => {
      const difference = amount.subtract(before.get(name) ?? Quantity.zero);
      return [name, difference.isNegative() ? Quantity.zero : difference];
    }),
  );
}

function withoutZeros(list: ResourceList): ResourceList {
  return new Map([...list].filter(([, amount]) => !amount.isZero()));
}
