import type { JsonValue } from "@stowage/machinery/apply";
import { type FieldError, required } from "@stowage/machinery/structural";
import { isFields, textOf } from "../../json-fields.ts";
import { labelErrors, subdomainErrors } from "./field-checks.ts";

/** A driver's secret: both names must be there, and be names. */
export function secretReferenceErrors(reference: JsonValue | undefined, path: string): FieldError[] {
  if (!isFields(reference)) return [];
  const [name, namespace] = [textOf(reference["name"]), textOf(reference["namespace"])];
  return [
    ...(name === "" ? [required(`${path}.name`)] : subdomainErrors(name, `${path}.name`)),
    ...(namespace === "" ? [required(`${path}.namespace`)] : labelErrors(namespace, `${path}.namespace`)),
  ];
}
