import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, forbidden, invalid } from "@stowage/machinery/structural";
import { fieldsOf, isFields, textOf, textsOf } from "../../../../json-fields.ts";
import { labelKeyErrors } from "../../../label-selectors.ts";
import { itemsOf, when } from "../field-checks.ts";

/** Labels whose values the selector takes from the Pod itself: by then they have been put into it. */
export function selectedKeyErrors(term: JsonObject, path: string): FieldError[] {
  const keys = textsOf(term["matchLabelKeys"]);
  const others = textsOf(term["mismatchLabelKeys"]);
  const both = "exists in both matchLabelKeys and mismatchLabelKeys";
  return [
    ...keyErrors(keys, `${path}.matchLabelKeys`, term),
    ...keyErrors(others, `${path}.mismatchLabelKeys`, term),
    ...repeatedErrors(keys, path, term),
    ...keys.flatMap((key, index) => when(others.includes(key), invalid(`${path}.matchLabelKeys[${index}]`, key, both))),
  ];
}

function keyErrors(keys: readonly string[], path: string, term: JsonObject): FieldError[] {
  if (keys.length === 0) return [];
  if (!isFields(term["labelSelector"])) return [forbidden(path, "must not be specified when labelSelector is not set")];
  return keys.flatMap((key, index) => labelKeyErrors(key, `${path}[${index}]`));
}

/** A key that somebody has selected by, too, is there twice. */
function repeatedErrors(keys: readonly string[], path: string, term: JsonObject): FieldError[] {
  const selector = fieldsOf(term["labelSelector"]);
  const seen = new Set(Object.keys(fieldsOf(selector["matchLabels"])));
  return itemsOf(selector["matchExpressions"]).flatMap((expression) => {
    const key = textOf(expression["key"]);
    const isRepeated = keys.includes(key) && seen.has(key);
    seen.add(key);
    const detail = "exists in both matchLabelKeys and labelSelector";
    return when(isRepeated, invalid(`${path}[${keys.lastIndexOf(key)}]`, key, detail));
  });
}
