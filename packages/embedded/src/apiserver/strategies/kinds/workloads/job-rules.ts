import { dns1123LabelErrors, type Labels } from "@stowage/machinery";
import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, invalid, required } from "@stowage/machinery/structural";
import { fieldsOf, metadataOf, numberOf, specOf, textOf, withMetadata } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { selectorMatcher, selectorValue } from "../label-selectors.ts";
import { jobDefaults } from "./job-defaults.ts";
import { jobSpecErrors } from "./job-spec-errors.ts";
import { jobStatusErrors } from "./job-status-errors.ts";
import { jobSpecUpdateErrors } from "./job-update-errors.ts";
import { jobWarnings } from "./job-warnings.ts";
import { templateOf, withEnabledTemplate } from "./pod-templates.ts";
import { isNewGeneration, podNameWarnings } from "./workload-warnings.ts";

/** The labels by which a Job knows its Pods; those without a prefix are older. */
const nameLabels = ["job-name", "batch.kubernetes.io/job-name"];
const uidLabels = ["controller-uid", "batch.kubernetes.io/controller-uid"];
const selectedLabel = "batch.kubernetes.io/controller-uid";

export const jobRules: KindRules = {
  defaults: jobDefaults,
  prepareForCreate: (object) =>
    withEnabledTemplate(specOf(object)["manualSelector"] === true ? object : withSelector(object)),
  prepareForUpdate: withEnabledTemplate,
  checks: {
    create: (object, metadata) => [...givenErrors(object, metadata), ...jobErrors(object, undefined)],
    update: (object, old, { own, changes }) => [
      ...own,
      ...jobErrors(object, old),
      ...changes,
      ...jobSpecUpdateErrors(object, old),
    ],
    status: (object, old, { changes }) => [...changes, ...jobStatusErrors(object, old)],
  },
  warnings(object, old) {
    if (old === undefined) return [...podNameWarnings(object), ...jobWarnings(specOf(object), "spec")];
    return isNewGeneration(object, old) ? jobWarnings(specOf(object), "spec", specOf(old)) : [];
  },
  garbageCollection: "orphan",
  deletionWarning:
    "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them " +
    "or set propagationPolicy=Orphan to suppress this warning",
};

/** Each Job selects the Pods that it has made, by its uid. */
function withSelector(object: JsonObject): JsonObject {
  const { name = "", uid = "" } = metadataOf(object);
  const spec = specOf(object);
  const template = templateOf(spec);
  const labels = {
    ...Object.fromEntries(nameLabels.map((label) => [label, name])),
    ...Object.fromEntries(uidLabels.map((label) => [label, uid])),
    ...fieldsOf(metadataOf(template)["labels"]),
  };
  // Labels that a Job has from its template are those, whatever comes to them.
  const isShared = metadataOf(object)["labels"] === metadataOf(template)["labels"];
  const selector = fieldsOf(spec["selector"]);
  const matchLabels = { [selectedLabel]: uid, ...fieldsOf(selector["matchLabels"]) } as JsonObject;
  return {
    ...(isShared ? withMetadata(object, { labels }) : object),
    spec: { ...spec, selector: { ...selector, matchLabels }, template: withMetadata(template, { labels }) },
  };
}

/** Labels of its own that are all made for it come to a Job when it has been checked. */
function givenErrors(object: JsonObject, metadata: readonly FieldError[]): readonly FieldError[] {
  const labels = Object.keys(fieldsOf(metadataOf(object)["labels"]));
  const isMade = labels.every((label) => nameLabels.includes(label) || uidLabels.includes(label));
  return isMade ? metadata.filter(({ field }) => field !== "metadata.labels") : metadata;
}

function jobErrors(object: JsonObject, old: JsonObject | undefined): FieldError[] {
  return [
    ...generatedSelectorErrors(object, old),
    ...jobSpecErrors(specOf(object), old && specOf(old)),
    ...hostnameErrors(object),
  ];
}

function generatedSelectorErrors(object: JsonObject, old: JsonObject | undefined): FieldError[] {
  const spec = specOf(object);
  if (spec["manualSelector"] === true || spec["selector"] === undefined) return [];
  const { name = "", uid = "" } = metadataOf(object);
  const wanted = new Map([
    ["controller-uid", textOf(uid)],
    ["job-name", textOf(name)],
    ...(needsPrefixes(old) ? prefixedLabels(textOf(uid), textOf(name)) : []),
  ]);
  const labels = fieldsOf(metadataOf(templateOf(spec))["labels"]);
  const matcher = selectorMatcher(spec["selector"]);
  const isOther = matcher !== undefined && !matcher.matches(Object.fromEntries(wanted));
  return [
    ...[...wanted].flatMap(([label, value]) => labelledErrors(labels as Labels, label, value)),
    ...(isOther ? [invalid("spec.selector", selectorValue(spec["selector"]), "`selector` not auto-generated")] : []),
  ];
}

function prefixedLabels(uid: string, name: string): [string, string][] {
  return [
    ["batch.kubernetes.io/controller-uid", uid],
    ["batch.kubernetes.io/job-name", name],
  ];
}

/** Jobs that are older than the labels may go on without them. */
function needsPrefixes(old: JsonObject | undefined): boolean {
  if (old === undefined) return true;
  const labels = fieldsOf(metadataOf(templateOf(specOf(old)))["labels"]);
  return prefixedLabels("", "").every(([label]) => labels[label] !== undefined);
}

function labelledErrors(labels: Labels, label: string, value: string): FieldError[] {
  const path = "spec.template.metadata.labels";
  const actual = labels[label];
  if (actual === undefined) return [required(`${path}[${label}]`, `must be '${value}'`)];
  return actual === value ? [] : [invalid(`${path}[${label}]`, labels, `must be '${value}'`)];
}

/** The last of its Pods has the longest name. */
function hostnameErrors(object: JsonObject): FieldError[] {
  const { completionMode, completions } = specOf(object);
  const count = numberOf(completions) ?? 0;
  if (completionMode !== "Indexed" || count <= 0) return [];
  const name = textOf(metadataOf(object)["name"]);
  const longest = `${name}-${count - 1}`;
  if (dns1123LabelErrors(longest).length === 0) return [];
  return [invalid("metadata.name", name, `will not able to create pod with invalid DNS label: ${longest}`)];
}
