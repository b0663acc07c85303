import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, invalid, required } from "@stowage/machinery/structural";
import { sameJson, specOf } from "../../json-fields.ts";
import { isAbsent, isEmptySelector, labelSelectorErrors, selectorValue } from "../label-selectors.ts";

/** Of a selector that has to be there and to select something. */
export function requiredSelectorErrors(spec: JsonObject, kind: string): FieldError[] {
  const { selector } = spec;
  if (isAbsent(selector)) return [required("spec.selector")];
  const detail = `empty selector is invalid for ${kind}`;
  return [
    ...labelSelectorErrors(selector, "spec.selector"),
    ...(isEmptySelector(selector) ? [invalid("spec.selector", selectorValue(selector), detail)] : []),
  ];
}

/** What is selected stays selected: what a controller has made would be lost to it. */
export function selectorImmutableErrors(object: JsonObject, old: JsonObject): FieldError[] {
  const { selector } = specOf(object);
  if (sameJson(selector, specOf(old)["selector"])) return [];
  return [invalid("spec.selector", selectorValue(selector), "field is immutable")];
}
