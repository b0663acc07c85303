import { dns1123LabelErrors } from "@stowage/machinery";
import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, forbidden } from "@stowage/machinery/structural";
import { fieldsOf, listOf, numberOf, sameJson, specOf, withFields } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { withDefaults } from "../field-defaults.ts";
import { claimTemplateDefaults, claimTemplateWarnings } from "./claim-templates.ts";
import { templateDefaults, withEnabledTemplate } from "./pod-templates.ts";
import { collisionErrors, replicaStatusErrors } from "./replica-status.ts";
import { statefulSetErrors } from "./stateful-set-errors.ts";
import { templateWarnings } from "./workload-warnings.ts";

export const statefulSetRules: KindRules = {
  // The names of its Pods are names of hosts.
  nameProblems: (name, isPrefix) =>
    dns1123LabelErrors(isPrefix && name.length > 1 && name.endsWith("-") ? `${name.slice(0, -2)}a` : name),
  defaults: statefulSetDefaults,
  prepareForCreate: (object) => withoutMaxUnavailable(withEnabledTemplate(object)),
  prepareForUpdate(object, old) {
    const enabled = withEnabledTemplate(object);
    return usesMaxUnavailable(old) ? enabled : withoutMaxUnavailable(enabled);
  },
  checks: {
    create: (object, metadata) => [...metadata, ...statefulSetErrors(specOf(object), { isNew: true })],
    update: (object, old, { changes }) => [...changes, ...updatedErrors(specOf(object), specOf(old))],
    status: (object, old, { changes }) => [
      ...replicaStatusErrors(fieldsOf(object["status"]), statusCounts),
      ...changes,
      ...collisionErrors(object, old),
    ],
  },
  warnings: (object, old) => [
    ...templateWarnings(object, old),
    ...claimTemplateWarnings(specOf(object), old),
    ...historyWarnings(specOf(object)),
  ],
};

const statusCounts = {
  counts: [
    "replicas",
    "readyReplicas",
    "currentReplicas",
    "updatedReplicas",
    "availableReplicas",
    "observedGeneration",
    "collisionCount",
  ],
  parts: ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"],
  ready: "status.readyReplicas",
};

function statefulSetDefaults(object: JsonObject): JsonObject {
  const spec = specOf(object);
  const kept = withDefaults(fieldsOf(spec["persistentVolumeClaimRetentionPolicy"]), {
    whenDeleted: "Retain",
    whenScaled: "Retain",
  });
  const claims = spec["volumeClaimTemplates"];
  return {
    ...object,
    spec: {
      ...withDefaults(spec, { podManagementPolicy: "OrderedReady", replicas: 1, revisionHistoryLimit: 10 }),
      updateStrategy: strategyDefaults(fieldsOf(spec["updateStrategy"])),
      persistentVolumeClaimRetentionPolicy: kept,
      template: templateDefaults(spec["template"]),
      ...(claims !== undefined && { volumeClaimTemplates: listOf(claims).map(claimTemplateDefaults) }),
    },
  };
}

function strategyDefaults(strategy: JsonObject): JsonObject {
  const typed = strategy["type"] === undefined ? { type: "RollingUpdate", rollingUpdate: {}, ...strategy } : strategy;
  const { type, rollingUpdate } = typed as JsonObject;
  if (type !== "RollingUpdate" || rollingUpdate === undefined) return typed;
  return { ...typed, rollingUpdate: withDefaults(fieldsOf(rollingUpdate), { partition: 0 }) };
}

/** How many Pods may go at once is a field of a feature that is not on. */
function withoutMaxUnavailable(object: JsonObject): JsonObject {
  if (!usesMaxUnavailable(object)) return object;
  const strategy = fieldsOf(specOf(object)["updateStrategy"]);
  const rollingUpdate = withFields(fieldsOf(strategy["rollingUpdate"]), { maxUnavailable: undefined });
  return { ...object, spec: { ...specOf(object), updateStrategy: { ...strategy, rollingUpdate } } };
}

function usesMaxUnavailable(object: JsonObject): boolean {
  const { rollingUpdate } = fieldsOf(specOf(object)["updateStrategy"]);
  return fieldsOf(rollingUpdate)["maxUnavailable"] !== undefined;
}

const changeable = [
  "replicas",
  "ordinals",
  "template",
  "updateStrategy",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
  "minReadySeconds",
] as const;

function updatedErrors(spec: JsonObject, old: JsonObject): FieldError[] {
  // Something that was wrong before may stay wrong.
  const hadErrors = statefulSetErrors(old, { isNew: false, old }).length > 0;
  const errors = statefulSetErrors(spec, { isNew: false, old, skipsTemplate: hadErrors });
  const left = Object.fromEntries(changeable.map((name) => [name, undefined]));
  if (sameJson(withFields(spec, left), withFields(old, left))) return errors;
  const names = changeable.map((name) => `'${name}'`);
  const list = `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  return [...errors, forbidden("spec", `updates to statefulset spec for fields other than ${list} are forbidden`)];
}

function historyWarnings(spec: JsonObject): string[] {
  const advice = "a negative value retains all historical revisions; a value >= 0 is recommended";
  return (numberOf(spec["revisionHistoryLimit"]) ?? 0) < 0 ? [`spec.revisionHistoryLimit: ${advice}`] : [];
}
