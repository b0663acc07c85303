import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, invalid, notSupported, required } from "@stowage/machinery/structural";
import { fieldsOf, numberOf, sameJson, specOf } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { withDefaults } from "../field-defaults.ts";
import { isAbsent, isEmptySelector, labelSelectorErrors, selectorMatcher, selectorValue } from "../label-selectors.ts";
import { nonNegativeErrors } from "../number-checks.ts";
import {
  lastingPodErrors,
  selectedErrors,
  templateDefaults,
  templateErrors,
  templateOf,
  withEnabledTemplate,
} from "./pod-templates.ts";
import { collisionErrors } from "./replica-status.ts";
import { amountErrors, amountOf, wholeShareErrors } from "./rollout-amounts.ts";
import { selectorImmutableErrors } from "./workload-selectors.ts";
import { shownPart } from "./workload-types.ts";
import { templateWarnings } from "./workload-warnings.ts";

export const daemonSetRules: KindRules = {
  defaults: daemonSetDefaults,
  prepareForCreate: (object) =>
    withTemplateGeneration(withEnabledTemplate(object), Math.max(templateGenerationOf(object), 1)),
  prepareForUpdate(sent, old) {
    const object = withEnabledTemplate(sent);
    const isChanged = !sameJson(specOf(object)["template"], specOf(old)["template"]);
    return withTemplateGeneration(object, templateGenerationOf(old) + (isChanged ? 1 : 0));
  },
  checks: {
    create: (object, metadata) => [...metadata, ...specErrors(specOf(object), undefined)],
    update: (object, old, { changes }) => [
      ...changes,
      ...selectorImmutableErrors(object, old),
      ...specErrors(specOf(object), specOf(old)),
    ],
    status: (object, old, { changes }) => [
      ...changes,
      ...nonNegativeErrors(fieldsOf(object["status"]), "status", statusCounts),
      ...collisionErrors(object, old),
    ],
  },
  warnings: (object, old) =>
    old !== undefined && templateGenerationOf(object) === templateGenerationOf(old)
      ? []
      : templateWarnings(object, old),
};

const statusCounts = [
  "currentNumberScheduled",
  "numberMisscheduled",
  "desiredNumberScheduled",
  "numberReady",
  "observedGeneration",
  "updatedNumberScheduled",
  "numberAvailable",
  "numberUnavailable",
  "collisionCount",
];

/** Kept where it was when this was a field of the spec. */
const generationAnnotation = "deprecated.daemonset.template.generation";

function daemonSetDefaults(object: JsonObject): JsonObject {
  const spec = specOf(object);
  return {
    ...withTemplateGeneration(object, templateGenerationOf(object)),
    spec: {
      ...withDefaults(spec, { revisionHistoryLimit: 10 }),
      updateStrategy: strategyDefaults(fieldsOf(spec["updateStrategy"])),
      template: templateDefaults(spec["template"]),
    },
  };
}

function strategyDefaults(strategy: JsonObject): JsonObject {
  const typed = withDefaults(strategy, { type: "RollingUpdate" });
  if (typed["type"] !== "RollingUpdate") return withAmounts(typed);
  return {
    ...typed,
    rollingUpdate: withDefaults(fieldsOf(typed["rollingUpdate"]), { maxUnavailable: 1, maxSurge: 0 }),
  };
}

/** Parts that are not asked for are kept all the same, as numbers that are never left out. */
function withAmounts(strategy: JsonObject): JsonObject {
  const { rollingUpdate } = strategy;
  if (rollingUpdate === undefined) return strategy;
  return { ...strategy, rollingUpdate: withDefaults(fieldsOf(rollingUpdate), { maxUnavailable: 0, maxSurge: 0 }) };
}

function specErrors(spec: JsonObject, old: JsonObject | undefined): FieldError[] {
  const path = "spec.template";
  const { selector } = spec;
  const before = old?.["selector"];
  const options = { allowsInvalidValues: before !== undefined && labelSelectorErrors(before, "").length > 0 };
  const matcher = selectorMatcher(selector);
  const isEmpty = !isAbsent(selector) && isEmptySelector(selector);
  const detail = "empty selector is invalid for daemonset";
  return [
    ...labelSelectorErrors(selector, "spec.selector", options),
    ...(matcher === undefined ? [] : selectedErrors(matcher, templateOf(spec), path)),
    ...(isEmpty ? [invalid("spec.selector", selectorValue(selector), detail)] : []),
    ...templateErrors(spec, path, old),
    ...lastingPodErrors(templateOf(spec), path, "DaemonSet"),
    ...nonNegativeErrors(spec, "spec", ["minReadySeconds"]),
    ...strategyErrors(fieldsOf(spec["updateStrategy"])),
    ...nonNegativeErrors(spec, "spec", ["revisionHistoryLimit"]),
  ];
}

function strategyErrors(strategy: JsonObject): FieldError[] {
  const path = "spec.updateStrategy";
  if (strategy["type"] === "OnDelete") return [];
  if (strategy["type"] === "RollingUpdate") {
    return rolloutErrors(fieldsOf(strategy["rollingUpdate"]), `${path}.rollingUpdate`);
  }
  return [notSupported(path, shownPart("DaemonSetUpdateStrategy", strategy), ["RollingUpdate", "OnDelete"])];
}

function rolloutErrors({ maxUnavailable, maxSurge }: JsonObject, path: string): FieldError[] {
  const amounts = [
    [`${path}.maxUnavailable`, maxUnavailable],
    [`${path}.maxSurge`, maxSurge],
  ] as const;
  return [
    ...amounts.flatMap(([at, amount]) => amountErrors(amount, at)),
    ...amounts.flatMap(([at, amount]) => wholeShareErrors(amount, at)),
    ...eitherErrors({ maxUnavailable, maxSurge } as JsonObject, path),
  ];
}

/** A Pod goes before the next one comes, or after; not both, and not neither. */
function eitherErrors({ maxUnavailable, maxSurge }: JsonObject, path: string): FieldError[] {
  const [hasUnavailable, hasSurge] = [amountOf(maxUnavailable) !== 0, amountOf(maxSurge) !== 0];
  if (hasUnavailable && hasSurge) {
    return [invalid(`${path}.maxSurge`, maxSurge, "may not be set when maxUnavailable is non-zero")];
  }
  return hasUnavailable || hasSurge ? [] : [required(`${path}.maxUnavailable`, "cannot be 0 when maxSurge is 0")];
}

function templateGenerationOf(object: JsonObject): number {
  const annotations = fieldsOf(fieldsOf(object["metadata"])["annotations"]);
  const text = annotations[generationAnnotation];
  return numberOf(typeof text === "string" && /^[-+]?\d+$/u.test(text) ? Number(text) : undefined) ?? 0;
}

function withTemplateGeneration(object: JsonObject, generation: number): JsonObject {
  const metadata = fieldsOf(object["metadata"]);
  const annotations = { ...fieldsOf(metadata["annotations"]), [generationAnnotation]: String(generation) };
  return { ...object, metadata: { ...metadata, annotations } };
}
