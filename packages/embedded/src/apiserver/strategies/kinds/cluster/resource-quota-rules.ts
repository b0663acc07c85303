import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, invalid } from "@stowage/machinery/structural";
import { fieldsOf, specOf, textsOf } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { amountOf, roundedAmounts } from "../amounts.ts";
import { quantityErrors } from "../pods/checks/containers/resource-errors.ts";
import { resourceNameErrors } from "../pods/checks/containers/resource-names.ts";
import { changed } from "../pods/defaults/field-defaults.ts";
import { isQuotaResource, scopeErrors } from "./quota-scopes.ts";

export const resourceQuotaRules: KindRules = {
  defaults: (object) =>
    changed(object, {
      spec: (spec) => changed(spec, { hard: roundedAmounts }),
      status: (status) => changed(status, { hard: roundedAmounts, used: roundedAmounts }),
    }),
  checks: {
    create: (object, metadata) => [...metadata, ...specErrors(specOf(object))],
    update: (object, old, { changes }) => [
      ...changes,
      ...specErrors(specOf(object)),
      ...scopeUpdateErrors(specOf(object), specOf(old)),
    ],
    status: (object, _, { changes }) => {
      const { hard, used } = fieldsOf(object["status"]);
      return [...changes, ...amountErrors(hard, "status.hard"), ...amountErrors(used, "status.used")];
    },
  },
  warnings: (object, old) => (old === undefined ? orderWarnings(fieldsOf(specOf(object)["hard"])) : []),
};

function specErrors(spec: JsonObject): FieldError[] {
  return [...amountErrors(spec["hard"], "spec.hard"), ...scopeErrors(spec)];
}

function amountErrors(amounts: JsonValue | undefined, path: string): FieldError[] {
  return Object.entries(fieldsOf(amounts)).flatMap(([name, amount]) => {
    const at = `${path}[${name}]`;
    const isCounted = name.includes("/") || isQuotaResource(name);
    return [
      ...resourceNameErrors(name, at),
      ...(isCounted ? [] : [invalid(at, name, "must be a standard resource for quota")]),
      ...quantityErrors(name, amount, at),
    ];
  });
}

function scopeUpdateErrors(spec: JsonObject, old: JsonObject): FieldError[] {
  const [now, before] = [new Set(textsOf(spec["scopes"])), new Set(textsOf(old["scopes"]))];
  if (now.symmetricDifference(before).size === 0) return [];
  return [invalid("spec.scopes", spec["scopes"] ?? null, "field is immutable")];
}

/** Nobody can ask for more than there is to have. */
function orderWarnings(hard: JsonObject): string[] {
  return ["cpu", "memory", "storage", "ephemeral-storage"].flatMap((name) => {
    const hasShortName = hard[`requests.${name}`] === undefined && (name === "cpu" || name === "memory");
    const requestName = hasShortName ? name : `requests.${name}`;
    const [request, limit] = [amountOf(hard[requestName]), amountOf(hard[`limits.${name}`])];
    if (request === undefined || limit === undefined || request.compare(limit) <= 0) return [];
    const order = `${requestName} (${request.toString()}) should be less than limits.${name} (${limit.toString()})`;
    return [`ResourceQuota ${order}`];
  });
}
