import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, forbidden, goQuote } from "@stowage/machinery/structural";
import { fieldsOf, metadataOf, sameJson, specOf, textOf, withFields } from "../../../json-fields.ts";
import type { SubresourceRules } from "../../../kind-rules.ts";
import { mirrorAnnotation } from "../checks/annotation-errors.ts";
import { itemsOf } from "../checks/field-checks.ts";
import { podErrors } from "../checks/pod-errors.ts";
import { ephemeralContainerDiff } from "../pod-forms.ts";
import { withOwnMetadata } from "./pod-part.ts";
import { annotationErrors } from "./pod-update-errors.ts";

/** `pods/ephemeralcontainers`: containers that come to a Pod that is there, to look into it. They stay. */
export const ephemeralContainerRules: SubresourceRules = {
  prepareForUpdate(object, old) {
    const { ephemeralContainers } = specOf(object);
    return { ...withOwnMetadata(object, old), spec: withFields(specOf(old), { ephemeralContainers }) };
  },
  errors(object, old, { own, changes }) {
    if (isMirror(old)) return [forbidden("", "static pods do not support ephemeral containers")];
    return [
      ...changes,
      ...own,
      ...podErrors(object, old),
      ...annotationErrors(object, old),
      ...keptErrors(specOf(object), specOf(old)),
    ];
  },
};

export function isMirror(pod: JsonObject): boolean {
  return fieldsOf(metadataOf(pod)["annotations"])[mirrorAnnotation] !== undefined;
}

function keptErrors(now: JsonObject, before: JsonObject): FieldError[] {
  const path = "spec.ephemeralContainers";
  const containers = new Map(itemsOf(now["ephemeralContainers"]).map((each) => [textOf(each["name"]), each]));
  return itemsOf(before["ephemeralContainers"]).flatMap((old) => {
    const name = textOf(old["name"]);
    const next = containers.get(name);
    const what = `existing ephemeral containers ${goQuote(name)}`;
    if (next === undefined) return [forbidden(path, `${what} may not be removed\n`)];
    if (sameJson(old, next)) return [];
    return [forbidden(path, `${what} may not be changed\n${ephemeralContainerDiff(old, next)}`)];
  });
}
