import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, forbidden, invalid, notSupported } from "@stowage/machinery/structural";
import { fieldsOf, metadataOf, numberOf, specOf, withMetadata } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { withDefaults } from "../field-defaults.ts";
import { nonNegativeErrors } from "../number-checks.ts";
import { templateDefaults, withEnabledTemplate } from "./pod-templates.ts";
import { replicasErrors } from "./replica-set-rules.ts";
import { collisionErrors, replicaStatusErrors } from "./replica-status.ts";
import { amountErrors, amountOf, wholeShareErrors } from "./rollout-amounts.ts";
import { selectorImmutableErrors } from "./workload-selectors.ts";
import { shownPart } from "./workload-types.ts";
import { namedTemplateWarnings } from "./workload-warnings.ts";

export const deploymentRules: KindRules = {
  defaults: deploymentDefaults,
  prepareForCreate: withEnabledTemplate,
  prepareForUpdate: withEnabledTemplate,
  checks: {
    create: (object, metadata) => [...metadata, ...specErrors(specOf(object), undefined)],
    update: (object, old, { changes }) => [
      ...changes,
      ...specErrors(specOf(object), specOf(old)),
      ...selectorImmutableErrors(object, old),
    ],
    status: (object, old, { changes }) => [
      ...changes,
      ...replicaStatusErrors(fieldsOf(object["status"]), statusCounts),
      ...collisionErrors(object, old),
    ],
  },
  prepareForStatusUpdate: (object, old) => withMetadata(object, { labels: metadataOf(old)["labels"] }),
  warnings: namedTemplateWarnings,
};

const statusCounts = {
  counts: [
    "observedGeneration",
    "replicas",
    "updatedReplicas",
    "readyReplicas",
    "availableReplicas",
    "unavailableReplicas",
    "terminatingReplicas",
    "collisionCount",
  ],
  parts: ["updatedReplicas", "readyReplicas", "availableReplicas"],
  ready: "readyReplicas",
};

function deploymentDefaults(object: JsonObject): JsonObject {
  const spec = specOf(object);
  return {
    ...object,
    spec: {
      ...withDefaults(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 }),
      strategy: strategyDefaults(fieldsOf(spec["strategy"])),
      template: templateDefaults(spec["template"]),
    },
  };
}

function strategyDefaults(strategy: JsonObject): JsonObject {
  const typed = withDefaults(strategy, { type: "RollingUpdate" });
  if (typed["type"] !== "RollingUpdate") return typed;
  const rollingUpdate = withDefaults(fieldsOf(typed["rollingUpdate"]), { maxUnavailable: "25%", maxSurge: "25%" });
  return { ...typed, rollingUpdate };
}

function specErrors(spec: JsonObject, old: JsonObject | undefined): FieldError[] {
  return [
    ...replicasErrors(spec, old, ["replicas"]),
    ...strategyErrors(fieldsOf(spec["strategy"])),
    ...nonNegativeErrors(spec, "spec", ["minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds"]),
    ...deadlineErrors(spec),
  ];
}

function strategyErrors(strategy: JsonObject): FieldError[] {
  const path = "spec.strategy";
  const { type, rollingUpdate } = strategy;
  if (type === "Recreate") {
    const detail = "may not be specified when strategy `type` is 'Recreate'";
    return rollingUpdate === undefined ? [] : [forbidden(`${path}.rollingUpdate`, detail)];
  }
  if (type === "RollingUpdate") return rolloutErrors(fieldsOf(rollingUpdate), `${path}.rollingUpdate`);
  return [notSupported(path, shownPart("DeploymentStrategy", strategy), ["Recreate", "RollingUpdate"])];
}

function rolloutErrors({ maxUnavailable, maxSurge }: JsonObject, path: string): FieldError[] {
  const isStuck = amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0;
  const detail = "may not be 0 when `maxSurge` is 0";
  return [
    ...amountErrors(maxUnavailable, `${path}.maxUnavailable`),
    ...amountErrors(maxSurge, `${path}.maxSurge`),
    ...(isStuck ? [invalid(`${path}.maxUnavailable`, maxUnavailable, detail)] : []),
    ...wholeShareErrors(maxUnavailable, `${path}.maxUnavailable`),
  ];
}

function deadlineErrors(spec: JsonObject): FieldError[] {
  const deadlineSeconds = numberOf(spec["progressDeadlineSeconds"]);
  if (deadlineSeconds === undefined || deadlineSeconds > (numberOf(spec["minReadySeconds"]) ?? 0)) return [];
  return [invalid("spec.progressDeadlineSeconds", deadlineSeconds, "must be greater than minReadySeconds")];
}
