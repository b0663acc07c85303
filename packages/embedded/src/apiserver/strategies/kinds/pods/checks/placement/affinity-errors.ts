import { dns1123LabelErrors } from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, invalid, required } from "@stowage/machinery/structural";
import { fieldsOf, numberOf, textOf, textsOf } from "../../../../json-fields.ts";
import { labelKeyErrors, labelSelectorErrors } from "../../../label-selectors.ts";
import { nodeSelectorErrors, nodeTermErrors } from "../../../storage/node-selectors.ts";
import { itemErrors, partErrors, problemErrors, when } from "../field-checks.ts";
import { selectedKeyErrors } from "./selected-keys.ts";

const hard = "requiredDuringSchedulingIgnoredDuringExecution";
const soft = "preferredDuringSchedulingIgnoredDuringExecution";

export function affinityErrors(affinity: JsonObject, path: string): FieldError[] {
  return [
    ...partErrors(affinity["nodeAffinity"], `${path}.nodeAffinity`, nodeErrors),
    ...partErrors(affinity["podAffinity"], `${path}.podAffinity`, podErrors),
    ...partErrors(affinity["podAntiAffinity"], `${path}.podAntiAffinity`, podErrors),
  ];
}

function nodeErrors(affinity: JsonObject, path: string): FieldError[] {
  return [
    ...partErrors(affinity[hard], `${path}.${hard}`, (selector, at) =>
      nodeSelectorErrors(selector, at, { allowsInvalidValues: false }),
    ),
    ...itemErrors(affinity[soft], `${path}.${soft}`, (term, at) => [
      ...weightErrors(term, at),
      // What nothing depends on may have values that no label has.
      ...nodeTermErrors(fieldsOf(term["preference"]), `${at}.preference`, { allowsInvalidValues: true }),
    ]),
  ];
}

function weightErrors(term: JsonObject, path: string): FieldError[] {
  const weight = numberOf(term["weight"]) ?? 0;
  return when(weight <= 0 || weight > 100, invalid(`${path}.weight`, weight, "must be in the range 1-100"));
}

function podErrors(affinity: JsonObject, path: string): FieldError[] {
  return [
    ...itemErrors(affinity[hard], `${path}.${hard}`, podTermErrors),
    ...itemErrors(affinity[soft], `${path}.${soft}`, (term, at) => [
      ...weightErrors(term, at),
      ...podTermErrors(fieldsOf(term["podAffinityTerm"]), `${at}.podAffinityTerm`),
    ]),
  ];
}

function podTermErrors(term: JsonObject, path: string): FieldError[] {
  const key = textOf(term["topologyKey"]);
  return [
    ...selectorErrors(term["labelSelector"], `${path}.labelSelector`),
    ...selectorErrors(term["namespaceSelector"], `${path}.namespaceSelector`),
    ...textsOf(term["namespaces"]).flatMap((name) =>
      problemErrors(`${path}.namespace`, name, dns1123LabelErrors(name)),
    ),
    ...selectedKeyErrors(term, path),
    ...when(key === "", required(`${path}.topologyKey`, "can not be empty")),
    ...labelKeyErrors(key, `${path}.topologyKey`),
  ];
}

function selectorErrors(selector: JsonValue | undefined, path: string): FieldError[] {
  return selector === undefined ? [] : labelSelectorErrors(selector, path);
}
