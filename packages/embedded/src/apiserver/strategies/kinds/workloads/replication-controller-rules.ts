import { type Labels, labelMatcherFromLabels } from "@stowage/machinery";
import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, required } from "@stowage/machinery/structural";
import { fieldsOf, metadataOf, specOf, withMetadata } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { withDefaults } from "../field-defaults.ts";
import { nonNegativeErrors } from "../number-checks.ts";
import {
  lastingPodErrors,
  selectedErrors,
  templateDefaults,
  templateErrors,
  templateOf,
  withEnabledTemplate,
} from "./pod-templates.ts";
import { replicaSetCounts } from "./replica-set-rules.ts";
import { replicaStatusErrors } from "./replica-status.ts";
/** Its selector is a map of labels, and everything may change. */ import { namedTemplateWarnings } from "./workload-warnings.ts";

export const replicationControllerRules: KindRules = {
  defaults: controllerDefaults,
  prepareForCreate: withEnabledTemplate,
  prepareForUpdate: withEnabledTemplate,
  checks: {
    create: (object, metadata) => [...metadata, ...specErrors(specOf(object), undefined)],
    update: (object, old, { changes }) => [...changes, ...specErrors(specOf(object), specOf(old))],
    status: (object, _, { changes }) => [
      ...changes,
      ...replicaStatusErrors(fieldsOf(object["status"]), replicaSetCounts),
    ],
  },
  warnings: namedTemplateWarnings,
  garbageCollection: "orphan",
};

function controllerDefaults(object: JsonObject): JsonObject {
  const spec = specOf(object);
  const { labels } = metadataOf(templateOf(spec));
  const labelled = labels === undefined ? object : withOwnLabels(object, fieldsOf(labels));
  const template = spec["template"] === undefined ? undefined : templateDefaults(spec["template"]);
  const selector = labels === undefined ? {} : { selector: labels };
  return { ...labelled, spec: { ...withDefaults(spec, { replicas: 1, ...selector }), ...(template && { template }) } };
}

/** What has no labels of its own gets those of its Pods. */
export function withOwnLabels(object: JsonObject, labels: JsonObject): JsonObject {
  const hasOwn = Object.keys(fieldsOf(metadataOf(object)["labels"])).length > 0;
  return hasOwn ? object : withMetadata(object, { labels });
}

function specErrors(spec: JsonObject, old: JsonObject | undefined): FieldError[] {
  const labels = fieldsOf(spec["selector"]) as Labels;
  const isEmpty = Object.keys(labels).length === 0;
  const path = "spec.template";
  const errors = [
    ...nonNegativeErrors(spec, "spec", ["minReadySeconds"]),
    ...(isEmpty ? [required("spec.selector")] : []),
    ...nonNegativeErrors(spec, "spec", ["replicas"]),
  ];
  if (spec["template"] === undefined) return [...errors, required(path)];
  const template = templateOf(spec);
  return [
    ...errors,
    ...(isEmpty ? [] : selectedErrors(labelMatcherFromLabels(labels), template, path)),
    ...templateErrors(spec, path, old),
    ...lastingPodErrors(template, path, "ReplicationController"),
  ];
}
