import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, invalid } from "@stowage/machinery/structural";
import {
  fieldsOf,
  isFields,
  listOf,
  metadataOf,
  numberOf,
  sameJson,
  specOf,
  withFields,
  withMetadata,
} from "../../json-fields.ts";
import { immutableField } from "../immutability.ts";
import { shownPodSpec } from "../pods/pod-forms.ts";
import { conditionStatus } from "./job-conditions.ts";
import { jobSpecErrors } from "./job-spec-errors.ts";
import { templateOf } from "./pod-templates.ts";
import { selectorImmutableErrors } from "./workload-selectors.ts";
import { shownPart } from "./workload-types.ts";

/** A Job that runs is what it was; one that waits may get other places and other amounts. */
export function jobSpecUpdateErrors(object: JsonObject, old: JsonObject): FieldError[] {
  const [now, before] = [specOf(object), specOf(old)];
  return [
    ...jobSpecErrors(now, before),
    ...completionErrors(now, before),
    ...selectorImmutableErrors(object, old),
    ...templateUpdateErrors(object, old),
    ...immutableField("spec.completionMode", now["completionMode"], before["completionMode"]),
    ...policyUpdateErrors(now, before, "podFailurePolicy", "PodFailurePolicy"),
    ...immutableField("spec.backoffLimitPerIndex", now["backoffLimitPerIndex"], before["backoffLimitPerIndex"]),
    ...immutableField("spec.managedBy", now["managedBy"], before["managedBy"]),
    ...policyUpdateErrors(now, before, "successPolicy", "SuccessPolicy"),
  ];
}

function policyUpdateErrors(now: JsonObject, before: JsonObject, name: string, type: string): FieldError[] {
  const policy = now[name];
  if (sameJson(policy, before[name])) return [];
  const shown = policy === undefined ? null : shownPart(type, fieldsOf(policy));
  return [invalid(`spec.${name}`, shown, "field is immutable")];
}

/** Indexes can be added and taken away when all of them run at once. */
function completionErrors(now: JsonObject, before: JsonObject): FieldError[] {
  const path = "spec.completions";
  const [count, known] = [now["completions"], before["completions"]];
  if (now["completionMode"] !== "Indexed") return immutableField(path, count, known);
  if (count === undefined || count === known || count === now["parallelism"]) return [];
  return [invalid(path, count, "can only be modified in tandem with spec.parallelism")];
}

function templateUpdateErrors(object: JsonObject, old: JsonObject): FieldError[] {
  const template = templateOf(specOf(object));
  const mayChange = isWaiting(old);
  const before = mayChange ? withPlacesOf(template, templateOf(specOf(old))) : templateOf(specOf(old));
  if (!mayChange) {
    return sameJson(template, before) ? [] : [invalid("spec.template", shownTemplate(template), "field is immutable")];
  }
  const [pod, known] = [specOf(template), specOf(before)];
  if (sameJson(pod, withResourcesOf(pod, known))) return [];
  return [invalid("spec.template.spec", shownPodSpec(pod), "field is immutable")];
}

/** Its metadata is not in a part of its own there. */
function shownTemplate(template: JsonObject): unknown {
  return new Map<string, unknown>([...Object.entries(metadataOf(template)), ["Spec", shownPodSpec(specOf(template))]]);
}

/** It is suspended, and none of its Pods runs. */
function isWaiting(job: JsonObject): boolean {
  const status = fieldsOf(job["status"]);
  const hasStopped = status["startTime"] === undefined || conditionStatus(job, "Suspended") === "True";
  return specOf(job)["suspend"] === true && hasStopped && (numberOf(status["active"]) ?? 0) === 0;
}

/** The template as it was, but for where its Pods may run. */
function withPlacesOf(now: JsonObject, before: JsonObject): JsonObject {
  const { labels, annotations } = fieldsOf(now["metadata"]);
  const { nodeSelector, tolerations, schedulingGates } = specOf(now);
  const affinity = withNodeAffinityOf(specOf(now)["affinity"], specOf(before)["affinity"]);
  const spec = withFields(specOf(before), { nodeSelector, tolerations, schedulingGates, affinity });
  return { ...withMetadata(before, { labels, annotations }), spec };
}

function withNodeAffinityOf(now: JsonValue | undefined, before: JsonValue | undefined): JsonValue | undefined {
  if (now === undefined && before === undefined) return undefined;
  const affinity = withFields(fieldsOf(before), { nodeAffinity: fieldsOf(now)["nodeAffinity"] });
  return now === undefined && Object.keys(affinity).length === 0 ? undefined : affinity;
}

function withResourcesOf(now: JsonObject, before: JsonObject): JsonObject {
  return withFields(before, {
    containers: containersWithResources(now["containers"], before["containers"]),
    initContainers: containersWithResources(now["initContainers"], before["initContainers"]),
  });
}

function containersWithResources(now: JsonValue | undefined, before: JsonValue | undefined): JsonValue | undefined {
  const [next, known] = [listOf(now), listOf(before)];
  if (before === undefined || next.length !== known.length) return before;
  return known.map((container, index) => {
    const other = fieldsOf(next[index]);
    if (!isFields(container) || container["name"] !== other["name"]) return container;
    return withFields(container, { resources: other["resources"] });
  });
}
