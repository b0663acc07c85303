import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, forbidden, notSupported, required } from "@stowage/machinery/structural";
import { metadataOf, numberOf, textOf } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { withDefaults } from "../field-defaults.ts";
import { immutableField } from "../immutability.ts";

const mostOfUsers = 1_000_000_000;
const systemValues: Readonly<Record<string, number>> = {
  "system-node-critical": 2_000_001_000,
  "system-cluster-critical": 2_000_000_000,
};

export const priorityClassRules: KindRules = {
  defaults: (object) => withDefaults(object, { preemptionPolicy: "PreemptLowerPriority" }),
  checks: {
    create: (object, metadata) => [...metadata, ...valueErrors(object), ...policyErrors(object)],
    update: (object, old, { changes }) => [
      ...changes,
      ...(valueOf(object) === valueOf(old) ? [] : [forbidden("value", "may not be changed in an update.")]),
      ...immutableField("preemptionPolicy", object["preemptionPolicy"], old["preemptionPolicy"]),
    ],
  },
};

function valueOf(object: JsonObject): number {
  return numberOf(object["value"]) ?? 0;
}

function valueErrors(object: JsonObject): FieldError[] {
  const name = textOf(metadataOf(object)["name"]);
  if (name.startsWith("system-")) {
    const problem = systemProblem(name, object);
    const rule = "priority class names with 'system-' prefix are reserved for system use only";
    return problem === undefined ? [] : [forbidden("metadata.name", `${rule}. error: ${problem}`)];
  }
  if (valueOf(object) <= mostOfUsers) return [];
  return [forbidden("value", `maximum allowed value of a user defined priority is ${mostOfUsers}`)];
}

function systemProblem(name: string, object: JsonObject): string | undefined {
  const value = Object.hasOwn(systemValues, name) ? systemValues[name] : undefined;
  if (value === undefined) return `${name} is not a known system priority class`;
  if (valueOf(object) !== value) return `value of ${name} PriorityClass must be ${value}`;
  return object["globalDefault"] === true ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

function policyErrors({ preemptionPolicy }: JsonObject): FieldError[] {
  const known = ["PreemptLowerPriority", "Never"];
  if (preemptionPolicy === "") return [required("preemptionPolicy")];
  return known.includes(textOf(preemptionPolicy)) ? [] : [notSupported("preemptionPolicy", preemptionPolicy, known)];
}
