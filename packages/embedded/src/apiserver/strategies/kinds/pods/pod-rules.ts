import { dns1123LabelErrors } from "@stowage/machinery";
import type { JsonObject } from "@stowage/machinery/apply";
import { fieldsOf, metadataOf, numberOf, specOf, textOf } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { podCreateErrors } from "./checks/pod-errors.ts";
import { podTemplateErrors } from "./checks/pod-template-errors.ts";
import { podDefaults, podTemplateDefaults } from "./defaults/pod-defaults.ts";
import { withoutDisabledFields } from "./updates/disabled-fields.ts";
import { ephemeralContainerRules } from "./updates/ephemeral-containers.ts";
import { newPod, takenOverWarnings } from "./updates/new-pod.ts";
import { resizeRules } from "./updates/pod-resize.ts";
import { podWithStatus } from "./updates/pod-status.ts";
import { podStatusErrors } from "./updates/pod-status-errors.ts";
import { annotationErrors, podUpdateErrors } from "./updates/pod-update-errors.ts";
import { podTemplateWarnings, podWarnings } from "./warnings/pod-warnings.ts";

export const podRules: KindRules = {
  defaults: podDefaults,
  prepareForCreate: newPod,
  prepareForUpdate: (object) => ({ ...object, spec: withoutDisabledFields(specOf(object)) }),
  prepareForStatusUpdate: podWithStatus,
  checks: {
    create: (object, metadata) => [...metadata, ...podCreateErrors(object)],
    update: (object, old, { own, changes }) => [...changes, ...own, ...podUpdateErrors(object, old)],
    status: (object, old, { changes }) => [
      ...changes,
      ...annotationErrors(object, old),
      ...podStatusErrors(object, old),
    ],
  },
  subresources: { ephemeralcontainers: ephemeralContainerRules, resize: resizeRules },
  warnings: (object, old) => (old === undefined ? [...hostnameWarnings(object), ...podWarnings(object)] : []),
  warningsBeforeCreate: takenOverWarnings,
  gracePeriodSeconds(object, requestedSeconds) {
    const spec = specOf(object);
    const isOver = ["Failed", "Succeeded"].includes(textOf(fieldsOf(object["status"])["phase"]));
    if (textOf(spec["nodeName"]) === "" || isOver) return 0;
    const seconds = requestedSeconds ?? numberOf(spec["terminationGracePeriodSeconds"]) ?? 0;
    return seconds < 0 ? 1 : seconds;
  },
};

function hostnameWarnings(object: JsonObject): string[] {
  const problems = dns1123LabelErrors(textOf(metadataOf(object)["name"]));
  const what = "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior";
  return problems.length === 0 ? [] : [`${what}; a DNS label is recommended: [${problems.join(" ")}]`];
}

export const podTemplateRules: KindRules = {
  defaults: (object) => ({ ...object, template: podTemplateDefaults(fieldsOf(object["template"])) }),
  prepareForCreate: withoutDisabled,
  prepareForUpdate: withoutDisabled,
  errors: (object, old) =>
    podTemplateErrors(fieldsOf(object["template"]), "template", old && { old: specOf(fieldsOf(old["template"])) }),
  warnings(object, old) {
    const isSame = old !== undefined && metadataOf(old)["generation"] === metadataOf(object)["generation"];
    return isSame ? [] : podTemplateWarnings(fieldsOf(object["template"]), "template");
  },
};

function withoutDisabled(object: JsonObject): JsonObject {
  const template = fieldsOf(object["template"]);
  return { ...object, template: { ...template, spec: withoutDisabledFields(specOf(template)) } };
}
