import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, forbidden, invalid, required } from "@stowage/machinery/structural";
import { fieldsOf, listOf, metadataOf, numberOf, sameJson, specOf, textOf, withFields } from "../../../json-fields.ts";
import { annotationUpdateErrors, podAnnotationErrors } from "../checks/annotation-errors.ts";
import { imageErrors } from "../checks/containers/container-errors.ts";
import { itemErrors, itemsOf, when } from "../checks/field-checks.ts";
import { tolerationErrors } from "../checks/placement/toleration-errors.ts";
import { podErrors } from "../checks/pod-errors.ts";
import { largestInt32, rangeProblem } from "../checks/value-checks.ts";
import { podSpecDiff } from "../pod-forms.ts";
import { gatedErrors, withGatedPlacement } from "./gated-pod.ts";

const changeable = [
  "`spec.containers[*].image`",
  "`spec.initContainers[*].image`",
  "`spec.activeDeadlineSeconds`",
  "`spec.tolerations` (only additions to existing tolerations)",
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
];

/** What is wrong with a Pod that is written again, its metadata apart: most of it stays as it was made. */
export function podUpdateErrors(pod: JsonObject, old: JsonObject): FieldError[] {
  return [...podErrors(pod, old), ...annotationErrors(pod, old), ...specUpdateErrors(specOf(pod), specOf(old))];
}

export function annotationErrors(pod: JsonObject, old: JsonObject): FieldError[] {
  const path = "metadata.annotations";
  const [now, before] = [pod, old].map((each) => fieldsOf(metadataOf(each)["annotations"]));
  return [
    ...annotationUpdateErrors(now ?? {}, before ?? {}, path),
    ...podAnnotationErrors(now ?? {}, specOf(pod), path),
  ];
}

function specUpdateErrors(now: JsonObject, before: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  for (const list of ["containers", "initContainers"]) {
    const [containers, known] = [itemsOf(now[list]), itemsOf(before[list])];
    if (containers.length !== known.length) {
      return [...errors, forbidden(`spec.${list}`, "pod updates may not add or remove containers")];
    }
    errors.push(...itemErrors(containers, `spec.${list}`, changedImageErrors));
  }
  const deadline = deadlineErrors(now["activeDeadlineSeconds"], before["activeDeadlineSeconds"]);
  errors.push(...deadline.errors);
  if (deadline.isEnd) return errors;
  errors.push(...addedTolerationErrors(now, before), ...removedGateErrors(now, before));
  return sameJson(now, before) ? errors : [...errors, ...otherChangeErrors(now, before)];
}

function changedImageErrors(container: JsonObject, path: string): FieldError[] {
  return [...when(textOf(container["image"]) === "", required(`${path}.image`)), ...imageErrors(container, path)];
}

interface DeadlineErrors {
  readonly errors: readonly FieldError[];
  /** Whether nothing else is looked at. */
  readonly isEnd: boolean;
}

/** A deadline may be set and come nearer. */
function deadlineErrors(now: JsonValue | undefined, before: JsonValue | undefined): DeadlineErrors {
  const path = "spec.activeDeadlineSeconds";
  const [seconds, known] = [numberOf(now), numberOf(before)];
  if (seconds === undefined) {
    const detail = "must not update from a positive integer to nil value";
    return { errors: when(known !== undefined, invalid(path, null, detail)), isEnd: false };
  }
  if (seconds < 0 || seconds > largestInt32) {
    return { errors: [invalid(path, seconds, rangeProblem(0, largestInt32))], isEnd: true };
  }
  const isLater = known !== undefined && known < seconds;
  return {
    errors: when(isLater, invalid(path, seconds, "must be less than or equal to previous value")),
    isEnd: isLater,
  };
}

/** How long something is tolerated may change; that it is may not. */
function addedTolerationErrors(now: JsonObject, before: JsonObject): FieldError[] {
  const timeless = (toleration: JsonValue) => withFields(fieldsOf(toleration), { tolerationSeconds: undefined });
  const tolerations = listOf(now["tolerations"]).map(timeless);
  const isKept = (old: JsonValue) => tolerations.some((toleration) => sameJson(toleration, timeless(old)));
  if (listOf(before["tolerations"]).every(isKept)) return tolerationErrors(now["tolerations"], "spec.tolerations");
  return [forbidden("spec.tolerations", "existing toleration can not be modified except its tolerationSeconds")];
}

function removedGateErrors(now: JsonObject, before: JsonObject): FieldError[] {
  const known = itemsOf(before["schedulingGates"]).map(({ name }) => name);
  return itemErrors(now["schedulingGates"], "spec.schedulingGates", ({ name }, path) => {
    const detail = `only deletion is allowed, but found new scheduling gate '${textOf(name)}'`;
    return when(!known.includes(name), forbidden(`${path}.name`, detail));
  });
}

function otherChangeErrors(now: JsonObject, before: JsonObject): FieldError[] {
  const isGated = listOf(before["schedulingGates"]).length > 0;
  const common = settled(now, before);
  const errors = isGated ? gatedErrors(common, before) : [];
  const rest = isGated ? withGatedPlacement(common, before) : common;
  if (sameJson(rest, before)) return errors;
  const detail = `pod updates may not change fields other than ${changeable.join(",")}\n${podSpecDiff(before, rest)}`;
  return [...errors, forbidden("spec", detail)];
}

/** The new spec with all that may change as it was. */
function settled(now: JsonObject, before: JsonObject): JsonObject {
  const { activeDeadlineSeconds, schedulingGates, tolerations } = before;
  return withFields(now, {
    activeDeadlineSeconds,
    schedulingGates,
    tolerations,
    containers: withImagesOf(now["containers"], before["containers"]),
    initContainers: withImagesOf(now["initContainers"], before["initContainers"]),
  });
}

function withImagesOf(now: JsonValue | undefined, before: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(now)) return now;
  const known = listOf(before);
  return now.map((container, index) => withFields(fieldsOf(container), { image: fieldsOf(known[index])["image"] }));
}
