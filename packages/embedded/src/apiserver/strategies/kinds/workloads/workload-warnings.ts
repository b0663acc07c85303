import { dns1123LabelErrors } from "@stowage/machinery";
import type { JsonObject } from "@stowage/machinery/apply";
import { metadataOf, specOf, textOf } from "../../json-fields.ts";
import { podTemplateWarnings } from "../pods/index.ts";
import { templateOf } from "./pod-templates.ts";

/** Names of Pods are made from the name of what makes them. */
export function podNameWarnings(object: JsonObject): string[] {
  const problems = dns1123LabelErrors(textOf(metadataOf(object)["name"]));
  const why = "this is used in Pod names and hostnames, which can result in surprising behavior";
  return problems.length === 0 ? [] : [`metadata.name: ${why}; a DNS label is recommended: [${problems.join(" ")}]`];
}

/** Of the template, when there is anything new in the spec. */
export function templateWarnings(object: JsonObject, old: JsonObject | undefined): string[] {
  const path = "spec.template";
  if (old === undefined) return podTemplateWarnings(templateOf(specOf(object)), path);
  if (!isNewGeneration(object, old)) return [];
  return podTemplateWarnings(templateOf(specOf(object)), path, templateOf(specOf(old)));
}

export function isNewGeneration(object: JsonObject, old: JsonObject): boolean {
  return metadataOf(object)["generation"] !== metadataOf(old)["generation"];
}

export function namedTemplateWarnings(object: JsonObject, old: JsonObject | undefined): string[] {
  return [...(old === undefined ? podNameWarnings(object) : []), ...templateWarnings(object, old)];
}
