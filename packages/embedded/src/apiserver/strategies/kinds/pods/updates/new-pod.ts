import { formatTime } from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { fieldsOf, isFields, listOf, metadataOf, specOf, textOf, textsOf } from "../../../json-fields.ts";
import { appArmorPrefix } from "../checks/annotation-errors.ts";
import { visitedContainers } from "../checks/containers/visited-containers.ts";
import { appArmorErrors } from "../checks/security/profile-errors.ts";
import { type Change, changed, changedItems } from "../defaults/field-defaults.ts";
import { podQuality } from "../pod-quality.ts";
import { withoutDisabledFields } from "./disabled-fields.ts";

/** A Pod as it is to be kept when it is made. */
export function newPod(pod: JsonObject, nowMs: number): JsonObject {
  const spec = withoutDisabledFields(specOf(pod));
  const metadata = metadataOf(pod);
  const labels = fieldsOf(metadata["labels"]);
  const selecting = withSelectedLabels(spec, labels);
  return {
    ...pod,
    spec: withAnnotatedProfiles(selecting, fieldsOf(metadata["annotations"])),
    status: {
      phase: "Pending",
      ...(listOf(spec["schedulingGates"]).length > 0 && { conditions: [gated(nowMs)] }),
      qosClass: podQuality(specOf(pod)),
    },
  };
}

function gated(nowMs: number): JsonObject {
  return {
    type: "PodScheduled",
    status: "False",
    lastProbeTime: null,
    lastTransitionTime: formatTime(nowMs),
    reason: "SchedulingGated",
    message: "Scheduling is blocked due to non-empty scheduling gates",
  };
}

/** Labels that are named only are selected by the values that the Pod itself has. */
function withSelectedLabels(spec: JsonObject, labels: JsonObject): JsonObject {
  const term: Change = (each) => withLabelsOf(each, labels);
  const terms: Change = (affinity) =>
    changedItems(affinity, {
      requiredDuringSchedulingIgnoredDuringExecution: term,
      preferredDuringSchedulingIgnoredDuringExecution: (each) => changed(each, { podAffinityTerm: term }),
    });
  const placed = changed(spec, {
    affinity: (affinity) => changed(affinity, { podAffinity: terms, podAntiAffinity: terms }),
  });
  return changedItems(placed, { topologySpreadConstraints: term });
}

function withLabelsOf(term: JsonObject, labels: JsonObject): JsonObject {
  const selector = term["labelSelector"];
  const added = [
    ...textsOf(term["matchLabelKeys"]).map((key) => ({ key, operator: "In" })),
    ...textsOf(term["mismatchLabelKeys"]).map((key) => ({ key, operator: "NotIn" })),
  ].flatMap(({ key, operator }) => {
    const value = labels[key];
    return value === undefined ? [] : [{ key, operator, values: [value] }];
  });
  if (!isFields(selector) || added.length === 0) return term;
  const matchExpressions = [...listOf(selector["matchExpressions"]), ...added];
  return { ...term, labelSelector: { ...selector, matchExpressions } };
}

/** Of annotations that are taken over, or cannot be. */
export function takenOverWarnings(pod: JsonObject): string[] {
  const spec = specOf(pod);
  const ofPod = fieldsOf(spec["securityContext"])["appArmorProfile"];
  const annotations = fieldsOf(metadataOf(pod)["annotations"]);
  if (fieldsOf(spec["os"])["name"] === "windows") return [];
  return visitedContainers(spec, "").flatMap(({ container }) => {
    const key = `${appArmorPrefix}${textOf(container["name"])}`;
    const isSaid = isFields(fieldsOf(container["securityContext"])["appArmorProfile"]);
    if (annotations[key] === undefined || isSaid) return [];
    const profile = annotatedProfile(textOf(annotations[key]));
    if (profile !== undefined && isSameProfile(profile, ofPod)) return [];
    return [`metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`];
  });
}

/** Profiles were annotations once. */
function withAnnotatedProfiles(spec: JsonObject, annotations: JsonObject): JsonObject {
  if (fieldsOf(spec["os"])["name"] === "windows") return spec;
  const ofPod = fieldsOf(spec["securityContext"])["appArmorProfile"];
  const container: Change = (each) => {
    const security = fieldsOf(each["securityContext"]);
    const annotation = annotations[`${appArmorPrefix}${textOf(each["name"])}`];
    const profile = annotation === undefined ? undefined : annotatedProfile(textOf(annotation));
    if (profile === undefined || security["appArmorProfile"] !== undefined || isSameProfile(profile, ofPod))
      return each;
    return { ...each, securityContext: { ...security, appArmorProfile: profile } };
  };
  return changedItems(spec, { initContainers: container, containers: container, ephemeralContainers: container });
}

/** Undefined for what cannot be a profile. */
export function annotatedProfile(annotation: string): JsonObject | undefined {
  if (annotation === "unconfined") return { type: "Unconfined" };
  if (annotation === "runtime/default") return { type: "RuntimeDefault" };
  const localhostProfile = annotation.startsWith("localhost/") ? annotation.slice("localhost/".length) : "";
  const profile = { type: "Localhost", localhostProfile };
  return localhostProfile === "" || appArmorErrors(profile, "").length > 0 ? undefined : profile;
}

export function isSameProfile(profile: JsonObject, other: JsonValue | undefined): boolean {
  const known = fieldsOf(other);
  return known["type"] === profile["type"] && known["localhostProfile"] === profile["localhostProfile"];
}
