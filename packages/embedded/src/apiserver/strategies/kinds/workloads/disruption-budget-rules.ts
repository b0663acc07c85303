import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, invalid, notSupported } from "@stowage/machinery/structural";
import { fieldsOf, specOf, textOf } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { conditionListErrors } from "../condition-checks.ts";
import { labelSelectorErrors } from "../label-selectors.ts";
import { nonNegativeErrors } from "../number-checks.ts";
import { amountErrors, wholeShareErrors } from "./rollout-amounts.ts";
import { shownPart } from "./workload-types.ts";

/** Its metadata is looked at by what looks at everybody's. */
export const disruptionBudgetRules: KindRules = {
  checks: {
    create: (object) => specErrors(specOf(object), undefined),
    update: (object, old) => specErrors(specOf(object), specOf(old)),
    status: (object) => statusErrors(fieldsOf(object["status"])),
  },
};

const amounts = ["minAvailable", "maxUnavailable"];
const policies = ["AlwaysAllow", "IfHealthyBudget"];

function specErrors(spec: JsonObject, old: JsonObject | undefined): FieldError[] {
  const hasBoth = amounts.every((name) => spec[name] !== undefined);
  const detail = "minAvailable and maxUnavailable cannot be both set";
  const policy = spec["unhealthyPodEvictionPolicy"];
  const options = { allowsInvalidValues: labelSelectorErrors(old?.["selector"], "").length > 0 };
  return [
    ...(hasBoth ? [invalid("spec", shownPart("PodDisruptionBudgetSpec", spec), detail)] : []),
    ...amounts
      .filter((name) => spec[name] !== undefined)
      .flatMap((name) => [
        ...amountErrors(spec[name], `spec.${name}`),
        ...wholeShareErrors(spec[name], `spec.${name}`),
      ]),
    ...labelSelectorErrors(spec["selector"], "spec.selector", options),
    ...(policy === undefined || policies.includes(textOf(policy))
      ? []
      : [notSupported("spec.unhealthyPodEvictionPolicy", policy, policies)]),
  ];
}

function statusErrors(status: JsonObject): FieldError[] {
  return [
    ...conditionListErrors(status["conditions"], "status.conditions"),
    ...nonNegativeErrors(status, "status", ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"]),
  ];
}
