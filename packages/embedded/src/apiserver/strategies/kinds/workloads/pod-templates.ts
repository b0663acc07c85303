import type { LabelMatcher, Labels } from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, forbidden, invalid, notSupported } from "@stowage/machinery/structural";
import { fieldsOf, metadataOf, specOf } from "../../json-fields.ts";
import { podTemplateDefaults, podTemplateErrors, withoutDisabledFields } from "../pods/index.ts";

/** Of what a workload makes its Pods from. */
export function templateDefaults(template: JsonValue | undefined): JsonObject {
  return podTemplateDefaults(fieldsOf(template));
}

/** A workload without what this version knows of Pods and does not do. */
export function withEnabledTemplate(object: JsonObject): JsonObject {
  const spec = specOf(object);
  return spec["template"] === undefined ? object : { ...object, spec: withEnabledPods(spec) };
}

export function withEnabledPods(spec: JsonObject): JsonObject {
  const template = templateOf(spec);
  return { ...spec, template: { ...template, spec: withoutDisabledFields(specOf(template)) } };
}

export function templateOf(spec: JsonObject): JsonObject {
  return fieldsOf(spec["template"]);
}

/** What is wrong with a template: `old` is the spec of the workload as it was. */
export function templateErrors(spec: JsonObject, path: string, old: JsonObject | undefined): FieldError[] {
  const before = old === undefined ? {} : { old: specOf(templateOf(old)) };
  return podTemplateErrors(templateOf(spec), path, before);
}

export function selectedErrors(matcher: LabelMatcher, template: JsonObject, path: string): FieldError[] {
  const labels = metadataOf(template)["labels"];
  if (matcher.matches(fieldsOf(labels) as Labels)) return [];
  return [invalid(`${path}.metadata.labels`, labels ?? null, "`selector` does not match template `labels`")];
}

/** Of workloads whose Pods never end by themselves. */
export function lastingPodErrors(template: JsonObject, path: string, kind: string): FieldError[] {
  const { restartPolicy, activeDeadlineSeconds } = specOf(template);
  const detail = `activeDeadlineSeconds in ${kind} is not Supported`;
  return [
    ...(restartPolicy === "Always"
      ? []
      : [notSupported(`${path}.spec.restartPolicy`, restartPolicy ?? "", ["Always"])]),
    ...(activeDeadlineSeconds === undefined ? [] : [forbidden(`${path}.spec.activeDeadlineSeconds`, detail)]),
  ];
}
