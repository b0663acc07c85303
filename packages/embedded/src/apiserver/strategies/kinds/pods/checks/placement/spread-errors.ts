import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { duplicate, type FieldError, invalid, required } from "@stowage/machinery/structural";
import { numberOf, textOf } from "../../../../json-fields.ts";
import { labelSelectorErrors } from "../../../label-selectors.ts";
import { choiceErrors, itemErrors, itemsOf, optionalErrors, partErrors, when } from "../field-checks.ts";
import { selectedKeyErrors } from "./selected-keys.ts";

/** How Pods are spread over nodes. */
export function spreadErrors(value: JsonValue | undefined, path: string): FieldError[] {
  const constraints = itemsOf(value);
  return itemErrors(value, path, (constraint, at, index) => {
    const { topologyKey, whenUnsatisfiable: action, minDomains } = constraint;
    return [
      ...positiveErrors(constraint["maxSkew"], `${at}.maxSkew`),
      ...when(textOf(topologyKey) === "", required(`${at}.topologyKey`, "can not be empty")),
      ...choiceErrors(`${at}.whenUnsatisfiable`, action, ["DoNotSchedule", "ScheduleAnyway"]),
      ...repeatedErrors(constraint, at, constraints.slice(index + 1)),
      ...optionalErrors(minDomains, (count) => domainErrors(count, `${at}.minDomains`, textOf(action))),
      ...["nodeAffinityPolicy", "nodeTaintsPolicy"].flatMap((name) =>
        optionalErrors(constraint[name], (policy) => choiceErrors(`${at}.${name}`, policy, ["Ignore", "Honor"])),
      ),
      ...selectedKeyErrors(constraint, at),
      ...partErrors(constraint["labelSelector"], `${at}.labelSelector`, labelSelectorErrors),
    ];
  });
}

function positiveErrors(value: JsonValue | undefined, path: string): FieldError[] {
  const number = numberOf(value) ?? 0;
  return when(number <= 0, invalid(path, number, "must be greater than zero"));
}

function domainErrors(count: JsonValue, path: string, action: string): FieldError[] {
  const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`;
  return [...positiveErrors(count, path), ...when(action !== "DoNotSchedule", invalid(path, count, detail))];
}

function repeatedErrors(constraint: JsonObject, path: string, rest: readonly JsonObject[]): FieldError[] {
  const { topologyKey = "", whenUnsatisfiable = "" } = constraint;
  const isRepeated = rest.some(
    (other) => other["topologyKey"] === topologyKey && other["whenUnsatisfiable"] === whenUnsatisfiable,
  );
  const shown = `{${textOf(topologyKey)}, ${textOf(whenUnsatisfiable)}}`;
  return when(isRepeated, duplicate(`${path}.{topologyKey, whenUnsatisfiable}`, shown));
}
