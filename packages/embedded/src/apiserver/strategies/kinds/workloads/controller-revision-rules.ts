import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, invalid, required } from "@stowage/machinery/structural";
import { isFields, sameJson } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { nonNegativeError } from "../number-checks.ts";

/** What a workload was made from at some time: any JSON, which never changes. */
export const controllerRevisionRules: KindRules = {
  checks: {
    create: (object, metadata) => [
      ...metadata,
      ...nonNegativeError(object["revision"], "revision"),
      ...dataErrors(object),
    ],
    update: (object, old, { own, changes }) => [
      ...changes,
      ...own,
      ...nonNegativeError(object["revision"], "revision"),
      ...(sameJson(object["data"], old["data"])
        ? []
        : [invalid("data", asWritten(object["data"]), "field is immutable")]),
    ],
  },
};

function dataErrors({ data }: JsonObject): FieldError[] {
  if (data === undefined || data === null) return [required("data", "data is mandatory")];
  return isFields(data) ? [] : [required("data", "data must be a valid JSON object")];
}

/** In the order that it was written in. */
function asWritten(value: JsonValue | undefined): unknown {
  if (Array.isArray(value)) return value.map(asWritten);
  if (!isFields(value)) return value ?? null;
  return new Map(Object.entries(value).map(([name, field]) => [name, asWritten(field)]));
}
