import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, forbidden } from "@stowage/machinery/structural";
import { fieldsOf, listOf, metadataOf, specOf } from "../../../json-fields.ts";
import { annotationErrors } from "../../annotation-checks.ts";
import { labelErrors } from "../../label-selectors.ts";
import { annotationMatchErrors, podAnnotationErrors } from "./annotation-errors.ts";
import type { PodCheckOptions } from "./check-context.ts";
import { when } from "./field-checks.ts";
import { podSpecErrors } from "./pod-spec-errors.ts";

/** What is wrong with what Pods are made from, whatever makes them; `old` is the spec of the template as it was. */
export function podTemplateErrors(template: JsonObject, path: string, { old }: PodCheckOptions = {}): FieldError[] {
  const spec = specOf(template);
  const labels = fieldsOf(metadataOf(template)["labels"]);
  const annotations = fieldsOf(metadataOf(template)["annotations"]);
  const hasEphemeral = listOf(spec["ephemeralContainers"]).length > 0;
  const ephemeral = forbidden(`${path}.spec.ephemeralContainers`, "ephemeral containers not allowed in pod template");
  return [
    ...labelErrors(labels, `${path}.labels`),
    ...annotationErrors(annotations, `${path}.annotations`),
    ...podAnnotationErrors(annotations, spec, `${path}.annotations`),
    ...podSpecErrors(spec, `${path}.spec`, old === undefined ? {} : { old }),
    ...annotationMatchErrors(annotations, spec, `${path}.spec`),
    ...when(hasEphemeral, ephemeral),
  ];
}
