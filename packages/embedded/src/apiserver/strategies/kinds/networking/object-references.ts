import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, invalid, required } from "@stowage/machinery/structural";
import { textOf } from "../../json-fields.ts";
import { pathSegmentProblems } from "../../metadata-update.ts";
import { subdomainErrors } from "../storage/field-checks.ts";

/** Of an object of any kind, by its group, kind and name. */
export function referenceErrors(reference: JsonObject, path: string): FieldError[] {
  const group = reference["apiGroup"];
  return [
    ...(typeof group === "string" ? subdomainErrors(group, `${path}.apiGroup`) : []),
    ...["kind", "name"].flatMap((field) => {
      const text = textOf(reference[field]);
      if (text === "") return [required(`${path}.${field}`)];
      return pathSegmentProblems(text, false).map((problem) => invalid(`${path}.${field}`, text, problem));
    }),
  ];
}
