import { dns1123LabelErrors } from "@stowage/machinery";
import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, invalid, notSupported } from "@stowage/machinery/structural";
import { fieldsOf, metadataOf, specOf, textOf } from "../../json-fields.ts";
import { annotationErrors } from "../annotation-checks.ts";
import { labelErrors, selectorMatcher, selectorValue } from "../label-selectors.ts";
import { nonNegativeError, nonNegativeErrors } from "../number-checks.ts";
import { podTemplateErrors } from "../pods/index.ts";
import { claimTemplateErrors, withClaimVolumes } from "./claim-templates.ts";
import { lastingPodErrors, selectedErrors, templateOf } from "./pod-templates.ts";
import { amountErrors, amountOf, wholeShareErrors } from "./rollout-amounts.ts";
import { requiredSelectorErrors } from "./workload-selectors.ts";
import { shownPart } from "./workload-types.ts";

interface StatefulSetChecks {
  /** What cannot change is looked at once. */
  readonly isNew: boolean;
  /** The spec as it was. */
  readonly old?: JsonObject;
  readonly skipsTemplate?: boolean;
}

export function statefulSetErrors(spec: JsonObject, checks: StatefulSetChecks): FieldError[] {
  const serviceName = textOf(spec["serviceName"]);
  const namesService = checks.isNew && serviceName !== "";
  return [
    ...policyErrors(spec),
    ...strategyErrors(fieldsOf(spec["updateStrategy"])),
    ...retentionErrors(fieldsOf(spec["persistentVolumeClaimRetentionPolicy"])),
    ...(checks.isNew ? claimTemplateErrors(spec) : []),
    ...nonNegativeErrors(spec, "spec", ["replicas", "minReadySeconds"]),
    ...nonNegativeError(fieldsOf(spec["ordinals"])["start"], "spec.ordinals.start"),
    ...(namesService ? dns1123LabelErrors(serviceName) : []).map((problem) =>
      invalid("spec.serviceName", serviceName, problem),
    ),
    ...requiredSelectorErrors(spec, "statefulset"),
    ...podErrors(spec, checks),
    ...lastingPodErrors(templateOf(spec), "spec.template", "StatefulSet"),
  ];
}

function policyErrors(spec: JsonObject): FieldError[] {
  const policy = textOf(spec["podManagementPolicy"]);
  const isKnown = policy === "OrderedReady" || policy === "Parallel";
  return isKnown ? [] : [invalid("spec.podManagementPolicy", policy, "must be 'OrderedReady' or 'Parallel'")];
}

function strategyErrors(strategy: JsonObject): FieldError[] {
  const path = "spec.updateStrategy";
  const { type, rollingUpdate } = strategy;
  const rollout = fieldsOf(rollingUpdate);
  if (type === "RollingUpdate") return rolloutErrors(rollout, `${path}.rollingUpdate`);
  if (type !== "OnDelete") {
    const shown = shownPart("StatefulSetUpdateStrategy", strategy);
    return [invalid(path, shown, "must be 'RollingUpdate' or 'OnDelete'")];
  }
  if (rollingUpdate === undefined) return [];
  const shown = shownPart("RollingUpdateStatefulSetStrategy", rollout);
  return [invalid(`${path}.rollingUpdate`, shown, "only allowed for updateStrategy 'RollingUpdate'")];
}

function rolloutErrors({ partition, maxUnavailable }: JsonObject, path: string): FieldError[] {
  const at = `${path}.maxUnavailable`;
  const ofPartition = nonNegativeError(partition, `${path}.partition`);
  if (maxUnavailable === undefined) return ofPartition;
  return [
    ...ofPartition,
    ...amountErrors(maxUnavailable, at),
    ...(amountOf(maxUnavailable) === 0 ? [invalid(at, maxUnavailable, "cannot be 0")] : []),
    ...wholeShareErrors(maxUnavailable, at),
  ];
}

const retention = ["Retain", "Delete"];

function retentionErrors(policy: JsonObject): FieldError[] {
  return ["whenDeleted", "whenScaled"]
    .filter((name) => !retention.includes(textOf(policy[name])))
    .map((name) => notSupported(`spec.persistentVolumeClaimRetentionPolicy.${name}`, policy[name] ?? "", retention));
}

function podErrors(spec: JsonObject, { old, skipsTemplate = false }: StatefulSetChecks): FieldError[] {
  const path = "spec.template";
  const matcher = selectorMatcher(spec["selector"]);
  if (matcher === undefined) return [invalid("spec.selector", selectorValue(spec["selector"]), "")];
  const template = withClaimVolumes(templateOf(spec), spec);
  const before = old === undefined ? {} : { old: specOf(templateOf(old)) };
  const { labels, annotations } = metadataOf(template);
  return [
    ...(matcher.isEmpty() ? [] : selectedErrors(matcher, template, path)),
    ...(skipsTemplate ? [] : podTemplateErrors(template, path, before)),
    // Templates of others are looked at once.
    ...labelErrors(fieldsOf(labels), `${path}.labels`),
    ...annotationErrors(fieldsOf(annotations), `${path}.annotations`),
  ];
}
