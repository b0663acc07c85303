import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, forbidden } from "@stowage/machinery/structural";
import { fieldsOf, isFields, listOf, metadataOf, specOf, textOf } from "../../../json-fields.ts";
import { annotationMatchErrors, podAnnotationErrors } from "./annotation-errors.ts";
import { imageErrors } from "./containers/container-errors.ts";
import { itemErrors, when } from "./field-checks.ts";
import { podSpecErrors } from "./pod-spec-errors.ts";

/** What is wrong with a Pod that is made, its metadata apart. */
export function podCreateErrors(pod: JsonObject): FieldError[] {
  const spec = specOf(pod);
  const isPlaced = textOf(spec["nodeName"]) !== "" && listOf(spec["schedulingGates"]).length > 0;
  const gated = "cannot be set until all schedulingGates have been cleared";
  return [
    ...podErrors(pod, undefined),
    ...when(
      listOf(spec["ephemeralContainers"]).length > 0,
      forbidden("spec.ephemeralContainers", "cannot be set on create"),
    ),
    ...when(isPlaced, forbidden("spec.nodeName", gated)),
    ...annotationMatchErrors(fieldsOf(metadataOf(pod)["annotations"]), spec, "spec"),
  ];
}

/** What is wrong with a Pod whenever it is written. */
export function podErrors(pod: JsonObject, old: JsonObject | undefined): FieldError[] {
  const spec = specOf(pod);
  const metadata = metadataOf(pod);
  return [
    ...podAnnotationErrors(fieldsOf(metadata["annotations"]), spec, "metadata.annotations"),
    ...podSpecErrors(spec, "spec", old === undefined ? { metadata } : { metadata, old: specOf(old) }),
    ...tokenErrors(spec),
    ...itemErrors(spec["containers"], "spec.containers", imageErrors),
    ...itemErrors(spec["initContainers"], "spec.initContainers", imageErrors),
  ];
}

/** A token is somebody's. */
function tokenErrors(spec: JsonObject): FieldError[] {
  if (textOf(spec["serviceAccountName"]) !== "") return [];
  const detail = "must not be specified when serviceAccountName is not set";
  return itemErrors(spec["volumes"], "spec.volumes", (volume, path) =>
    itemErrors(fieldsOf(volume["projected"])["sources"], `${path}.projected.sources`, (source, at) =>
      when(isFields(source["serviceAccountToken"]), forbidden(`${at}.serviceAccountToken`, detail)),
    ),
  );
}
