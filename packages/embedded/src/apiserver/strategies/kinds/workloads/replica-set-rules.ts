import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, invalid } from "@stowage/machinery/structural";
import { fieldsOf, specOf } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { withDefaults } from "../field-defaults.ts";
import { selectorMatcher, selectorValue } from "../label-selectors.ts";
import { nonNegativeErrors } from "../number-checks.ts";
import {
  lastingPodErrors,
  selectedErrors,
  templateDefaults,
  templateErrors,
  templateOf,
  withEnabledTemplate,
} from "./pod-templates.ts";
import { replicaStatusErrors } from "./replica-status.ts";
import { requiredSelectorErrors, selectorImmutableErrors } from "./workload-selectors.ts";
import { namedTemplateWarnings } from "./workload-warnings.ts";

export const replicaSetRules: KindRules = {
  defaults: replicaSetDefaults,
  prepareForCreate: withEnabledTemplate,
  prepareForUpdate: withEnabledTemplate,
  checks: {
    create: (object, metadata) => [...metadata, ...specErrors(specOf(object), undefined)],
    update: (object, old, { changes }) => [
      ...changes,
      ...specErrors(specOf(object), specOf(old)),
      ...selectorImmutableErrors(object, old),
    ],
    status: (object, _, { changes }) => [
      ...changes,
      ...replicaStatusErrors(fieldsOf(object["status"]), {
        ...replicaSetCounts,
        counts: [...replicaSetCounts.counts, "terminatingReplicas"],
      }),
    ],
  },
  warnings: namedTemplateWarnings,
};

export const replicaSetCounts = {
  counts: ["replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas", "observedGeneration"],
  parts: ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"],
  ready: "readyReplicas",
};

function replicaSetDefaults(object: JsonObject): JsonObject {
  const spec = specOf(object);
  return { ...object, spec: { ...withDefaults(spec, { replicas: 1 }), template: templateDefaults(spec["template"]) } };
}

function specErrors(spec: JsonObject, old: JsonObject | undefined): FieldError[] {
  return replicasErrors(spec, old, ["replicas", "minReadySeconds"]);
}

/** What Deployments and ReplicaSets have in common, down to the name that messages give them. */
export function replicasErrors(spec: JsonObject, old: JsonObject | undefined, counts: readonly string[]): FieldError[] {
  const errors = [...nonNegativeErrors(spec, "spec", counts), ...requiredSelectorErrors(spec, "deployment")];
  const matcher = selectorMatcher(spec["selector"]);
  if (matcher === undefined) {
    return [...errors, invalid("spec.selector", selectorValue(spec["selector"]), "invalid label selector")];
  }
  const path = "spec.template";
  return [
    ...errors,
    ...(matcher.isEmpty() ? [] : selectedErrors(matcher, templateOf(spec), path)),
    ...templateErrors(spec, path, old),
    ...lastingPodErrors(templateOf(spec), path, "ReplicaSet"),
  ];
}
