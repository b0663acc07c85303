import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, forbidden, invalid, required } from "@stowage/machinery/structural";
import {
  fieldsOf,
  listOf,
  metadataOf,
  numberOf,
  sameJson,
  specOf,
  textOf,
  withFields,
  withMetadata,
} from "../json-fields.ts";
import type { KindRules } from "../kind-rules.ts";
import { podQuality } from "./pod-quality.ts";

const changeable = [
  "`spec.containers[*].image`",
  "`spec.initContainers[*].image`",
  "`spec.activeDeadlineSeconds`",
  "`spec.tolerations` (only additions to existing tolerations)",
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
];

export const podRules: KindRules = {
  prepareForCreate: (object) => ({
    ...object,
    status: { phase: "Pending", qosClass: podQuality(specOf(object)) },
  }),
  /** Who owns a Pod, and that it is going, is not for its status to say. */
  prepareForStatusUpdate: (object, old) =>
    withMetadata(object, {
      deletionTimestamp: metadataOf(old)["deletionTimestamp"],
      ownerReferences: metadataOf(old)["ownerReferences"],
    }),
  updateErrors: podUpdateErrors,
  gracePeriodSeconds(object, requestedSeconds) {
    const spec = specOf(object);
    const isOver = ["Failed", "Succeeded"].includes(textOf(fieldsOf(object["status"])["phase"]));
    if (textOf(spec["nodeName"]) === "" || isOver) return 0;
    const seconds = requestedSeconds ?? numberOf(spec["terminationGracePeriodSeconds"]) ?? 0;
    return seconds < 0 ? 1 : seconds;
  },
};

function podUpdateErrors(object: JsonObject, old: JsonObject): FieldError[] {
  const [now, before] = [specOf(object), specOf(old)];
  for (const list of ["containers", "initContainers"]) {
    const errors = containerErrors(listOf(now[list]), listOf(before[list]), `spec.${list}`);
    if (errors !== undefined) return errors;
  }
  const errors = [...deadlineErrors(now, before), ...tolerationErrors(now, before), ...gateErrors(now, before)];
  if (sameJson(settled(now, before), before)) return errors;
  return [...errors, forbidden("spec", `pod updates may not change fields other than ${changeable.join(",")}`)];
}

/** Undefined when there is nothing that would make the rest meaningless. */
function containerErrors(
  now: readonly JsonValue[],
  before: readonly JsonValue[],
  path: string,
): FieldError[] | undefined {
  if (now.length !== before.length) return [forbidden(path, "pod updates may not add or remove containers")];
  const empty = now.flatMap((container, index) =>
    textOf(fieldsOf(container)["image"]) === "" ? [required(`${path}[${index}].image`)] : [],
  );
  return empty.length > 0 ? empty : undefined;
}

function deadlineErrors(now: JsonObject, before: JsonObject): FieldError[] {
  const path = "spec.activeDeadlineSeconds";
  const [seconds, known] = [now["activeDeadlineSeconds"], before["activeDeadlineSeconds"]];
  if (seconds === undefined) {
    return known === undefined ? [] : [invalid(path, null, "must not update from a positive integer to nil value")];
  }
  if (known === undefined || Number(known) >= Number(seconds)) return [];
  return [invalid(path, seconds, "must be less than or equal to previous value")];
}

/** How long something is tolerated may change; that it is may not. */
function tolerationErrors(now: JsonObject, before: JsonObject): FieldError[] {
  const timeless = (toleration: JsonValue) => withFields(fieldsOf(toleration), { tolerationSeconds: undefined });
  const tolerations = listOf(now["tolerations"]).map(timeless);
  const isKept = (old: JsonValue) => tolerations.some((toleration) => sameJson(toleration, timeless(old)));
  if (listOf(before["tolerations"]).every(isKept)) return [];
  return [forbidden("spec.tolerations", "existing toleration can not be modified except its tolerationSeconds")];
}

function gateErrors(now: JsonObject, before: JsonObject): FieldError[] {
  const known = listOf(before["schedulingGates"]).map((gate) => fieldsOf(gate)["name"]);
  return listOf(now["schedulingGates"]).flatMap((gate, index) => {
    const name = fieldsOf(gate)["name"];
    if (known.includes(name)) return [];
    const detail = "only deletion is allowed, but found new scheduling gate";
    return [forbidden(`spec.schedulingGates[${index}].name`, `${detail} '${textOf(name)}'`)];
  });
}

/** The new spec with all that may change as it was. */
function settled(now: JsonObject, before: JsonObject): JsonObject {
  const { activeDeadlineSeconds, schedulingGates, tolerations, terminationGracePeriodSeconds: grace } = before;
  const mayHaveOne = numberOf(grace) !== undefined && Number(grace) < 0 && now["terminationGracePeriodSeconds"] === 1;
  return withFields(now, {
    activeDeadlineSeconds,
    schedulingGates,
    tolerations,
    containers: withImagesOf(now["containers"], before["containers"]),
    initContainers: withImagesOf(now["initContainers"], before["initContainers"]),
    ...(mayHaveOne && { terminationGracePeriodSeconds: grace }),
  });
}

function withImagesOf(now: JsonValue | undefined, before: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(now)) return now;
  const known = listOf(before);
  return now.map((container, index) => withFields(fieldsOf(container), { image: fieldsOf(known[index])["image"] }));
}
