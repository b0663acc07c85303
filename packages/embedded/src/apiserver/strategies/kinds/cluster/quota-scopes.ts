import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, invalid, required } from "@stowage/machinery/structural";
import { fieldsOf, listOf, textOf, textsOf } from "../../json-fields.ts";
import { shownPart } from "./cluster-types.ts";

const counted: ReadonlySet<string> = new Set(
  [
    "cpu memory ephemeral-storage requests.cpu requests.memory requests.storage requests.ephemeral-storage limits.cpu",
    "limits.memory limits.ephemeral-storage pods resourcequotas services replicationcontrollers secrets",
    "persistentvolumeclaims configmaps services.nodeports services.loadbalancers",
  ].flatMap((names) => names.split(" ")),
);

export function isQuotaResource(name: string): boolean {
  return counted.has(name) || name.startsWith("hugepages-") || name.startsWith("requests.hugepages-");
}

const ofPods = ["pods", "cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory"];

/** Which Pods or claims a quota is for, and what of them it can count. */
const scopes: Readonly<Record<string, readonly string[]>> = {
  Terminating: ofPods,
  NotTerminating: ofPods,
  BestEffort: ["pods"],
  NotBestEffort: ofPods,
  PriorityClass: ofPods,
  CrossNamespacePodAffinity: ofPods,
  VolumeAttributesClass: ["persistentvolumeclaims", "requests.storage"],
};

const opposites = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
] as const;

/** Those that are there or not, and have no values. */
const plainScopes = ["BestEffort", "NotBestEffort", "Terminating", "NotTerminating", "CrossNamespacePodAffinity"];

export function scopeErrors(spec: JsonObject): FieldError[] {
  const names = textsOf(spec["scopes"]);
  const error = (detail: string) => invalid("spec.scopes", spec["scopes"], detail);
  const uncounted = (name: string) => uncountedIn(spec, name).map(() => error("unsupported scope applied to resource"));
  return [
    ...names.flatMap((name) => [...(isScope(name) ? [] : [error("unsupported scope")]), ...uncounted(name)]),
    ...conflicts(names).map(() => error("conflicting scopes")),
    ...(spec["scopeSelector"] === undefined ? [] : selectorErrors(spec)),
  ];
}

function isScope(name: string): boolean {
  return Object.hasOwn(scopes, name);
}

/** Those resources that the quota counts and its scope cannot. */
function uncountedIn(spec: JsonObject, scope: string): string[] {
  const possible = isScope(scope) ? scopes[scope] : undefined;
  const names = Object.keys(fieldsOf(spec["hard"])).filter(isQuotaResource);
  return possible === undefined ? [] : names.filter((name) => !possible.includes(name));
}

function conflicts(names: readonly string[]): readonly unknown[] {
  return opposites.filter((pair) => pair.every((name) => names.includes(name)));
}

function selectorErrors(spec: JsonObject): FieldError[] {
  const path = "spec.scopeSelector.matchExpressions";
  const selector = fieldsOf(spec["scopeSelector"]);
  const expressions = listOf(selector["matchExpressions"]).map(fieldsOf);
  const names = expressions.map((expression) => textOf(expression["scopeName"]));
  const uncounted = (name: string) =>
    uncountedIn(spec, name).map(() =>
      invalid(path, shownPart("ScopeSelector", selector), "unsupported scope applied to resource"),
    );
  return [
    ...expressions.flatMap((expression, index) => {
      const name = names[index] ?? "";
      return [
        ...(isScope(name) ? [] : [invalid(`${path}.scopeName`, name, "unsupported scope")]),
        ...uncounted(name),
        ...operatorErrors(expression, path),
      ];
    }),
    ...conflicts(names).map(() => invalid(path, spec["scopes"] ?? null, "conflicting scopes")),
  ];
}

const existsOnly =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, " +
  "ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

function operatorErrors(expression: JsonObject, path: string): FieldError[] {
  const [name, operator] = [textOf(expression["scopeName"]), textOf(expression["operator"])];
  const isOther = plainScopes.includes(name) && operator !== "Exists";
  return [
    ...(isOther ? [invalid(`${path}.operator`, operator, existsOnly)] : []),
    ...valueErrors(operator, textsOf(expression["values"]), path),
  ];
}

function valueErrors(operator: string, values: readonly string[], path: string): FieldError[] {
  if (operator === "In" || operator === "NotIn") {
    const detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
    return values.length === 0 ? [required(`${path}.values`, detail)] : [];
  }
  if (operator === "Exists" || operator === "DoesNotExist") {
    const detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
    return values.length === 0 ? [] : [invalid(`${path}.values`, values, detail)];
  }
  return [invalid(`${path}.operator`, operator, "not a valid selector operator")];
}
