import { qualifiedNameErrors } from "@stowage/machinery";
import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, forbidden } from "@stowage/machinery/structural";
import { fieldsOf } from "../../../../json-fields.ts";
import { labelErrors } from "../../../label-selectors.ts";
import { claimSpecErrors } from "../../../storage/claim-errors.ts";
import { problemErrors } from "../field-checks.ts";

/** What a claim is made from that comes and goes with a Pod. */
export function claimTemplateErrors(template: JsonObject, path: string): FieldError[] {
  return [
    ...templateMetadataErrors(fieldsOf(template["metadata"]), `${path}.metadata`),
    ...claimSpecErrors(fieldsOf(template["spec"]), `${path}.spec`, undefined),
  ];
}

function templateMetadataErrors(metadata: JsonObject, path: string): FieldError[] {
  const { annotations, labels, ...others } = metadata;
  return [
    ...Object.keys(fieldsOf(annotations)).flatMap((key) =>
      problemErrors(`${path}.annotations`, key, qualifiedNameErrors(key.toLowerCase())),
    ),
    ...labelErrors(fieldsOf(labels), `${path}.labels`),
    ...Object.keys(others).map((name) => forbidden(`${path}.${name}`, "cannot be set")),
  ];
}
