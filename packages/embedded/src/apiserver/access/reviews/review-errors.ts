import type { ObjectMeta, ResourceAttributes } from "@stowage/machinery";
import { type FieldError, forbidden, invalid, required } from "@stowage/machinery/structural";
import type { ReviewedAccess } from "./access-status.ts";

/** Of what every review of access asks. */
export function accessErrors({ resourceAttributes, nonResourceAttributes }: ReviewedAccess): FieldError[] {
  const both = "cannot be specified in combination with resourceAttributes";
  const one = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
  return [
    ...(resourceAttributes && nonResourceAttributes
      ? [invalid("spec.nonResourceAttributes", pathValue(nonResourceAttributes), both)]
      : []),
    ...(resourceAttributes || nonResourceAttributes ? [] : [invalid("spec.resourceAttributes", null, one)]),
  ];
}

/** As the server shows it: in its own names of the fields. */
export function pathValue({ path = "", verb = "" }: NonNullable<ReviewedAccess["nonResourceAttributes"]>): object {
  return { Path: path, Verb: verb };
}

/** Reviews are about somebody else's object, and have nothing of their own to name. */
export function metadataErrors(metadata: ObjectMeta, detail: string): FieldError[] {
  const hasOthers = Object.keys(metadata).some((field) => field !== "managedFields");
  return hasOthers ? [invalid("metadata", metadata, detail)] : [];
}

export function selectorErrors({ fieldSelector, labelSelector }: ResourceAttributes = {}): FieldError[] {
  return [
    ...(fieldSelector === undefined ? [] : oneSelectorErrors("spec.resourceAttributes.fieldSelector", fieldSelector)),
    ...(labelSelector === undefined ? [] : oneSelectorErrors("spec.resourceAttributes.labelSelector", labelSelector)),
  ];
}

interface Selector {
  readonly rawSelector?: string;
  readonly requirements?: readonly { readonly operator: string; readonly values?: readonly string[] }[];
}

function oneSelectorErrors(path: string, { rawSelector = "", requirements = [] }: Selector): FieldError[] {
  const none = `when ${path} is specified, requirements or rawSelector is required`;
  return [
    ...(rawSelector !== "" && requirements.length > 0
      ? [invalid(`${path}.rawSelector`, rawSelector, "may not specified at the same time as requirements")]
      : []),
    ...(rawSelector === "" && requirements.length === 0 ? [required(`${path}.requirements`, none)] : []),
    ...requirements.flatMap(({ operator, values = [] }, index) => {
      const at = `${path}.requirements[${index}].values`;
      const isSet = operator === "In" || operator === "NotIn";
      const isPresence = operator === "Exists" || operator === "DoesNotExist";
      if (isSet && values.length === 0) return [required(at, "must be specified when `operator` is 'In' or 'NotIn'")];
      if (!isPresence || values.length === 0) return [];
      return [forbidden(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    }),
  ];
}
