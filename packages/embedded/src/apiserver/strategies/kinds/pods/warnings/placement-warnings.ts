import { labelValueErrors } from "@stowage/machinery";
import type { JsonObject } from "@stowage/machinery/apply";
import { fieldsOf, isFields, textOf, textsOf } from "../../../json-fields.ts";
import { outdatedLabel } from "../../storage/node-selectors.ts";
import { itemsOf } from "../checks/field-checks.ts";

const hard = "requiredDuringSchedulingIgnoredDuringExecution";
const soft = "preferredDuringSchedulingIgnoredDuringExecution";

/** Of where a Pod goes, which is looked at first. */
export function nodeWarnings(spec: JsonObject, path: string): string[] {
  const affinity = fieldsOf(fieldsOf(spec["affinity"])["nodeAffinity"]);
  const at = `${path}.affinity.nodeAffinity`;
  return [
    ...Object.keys(fieldsOf(spec["nodeSelector"])).flatMap((label) => {
      const what = outdatedLabel(label);
      return what === undefined ? [] : [`${path}.nodeSelector[${label}]: ${what}`];
    }),
    ...itemsOf(fieldsOf(affinity[hard])["nodeSelectorTerms"]).flatMap((term, index) =>
      termWarnings(term, `${at}.${hard}.nodeSelectorTerms[${index}]`, false),
    ),
    ...itemsOf(affinity[soft]).flatMap((term, index) =>
      termWarnings(fieldsOf(term["preference"]), `${at}.${soft}[${index}].preference`, true),
    ),
    ...spreadWarnings(spec, `${path}.topologySpreadConstraints`),
  ];
}

/** Values that no label has are let through where nothing depends on them. */
function termWarnings(term: JsonObject, path: string, checksValues: boolean): string[] {
  return itemsOf(term["matchExpressions"]).flatMap((expression, index) => {
    const at = `${path}.matchExpressions[${index}]`;
    const key = textOf(expression["key"]);
    const what = outdatedLabel(key);
    const values = checksValues ? textsOf(expression["values"]) : [];
    return [
      ...(what === undefined ? [] : [`${at}.key: ${key} is ${what}`]),
      ...values.flatMap((value, place) =>
        labelValueErrors(value).map((problem) => `${at}.values[${place}]: ${value} is invalid, ${problem}`),
      ),
    ];
  });
}

const selectsNone = "a null labelSelector results in matching no pod";

function spreadWarnings(spec: JsonObject, path: string): string[] {
  return itemsOf(spec["topologySpreadConstraints"]).flatMap((constraint, index) => {
    const key = textOf(constraint["topologyKey"]);
    const what = outdatedLabel(key);
    return [
      ...(what === undefined ? [] : [`${path}[${index}].topologyKey: ${key} is ${what}`]),
      ...(isFields(constraint["labelSelector"]) ? [] : [`${path}[${index}].labelSelector: ${selectsNone}`]),
    ];
  });
}

/** Of which other Pods it goes to, which is looked at last but one. */
export function selectorWarnings(spec: JsonObject, path: string): string[] {
  return ["podAffinity", "podAntiAffinity"].flatMap((kind) => {
    const affinity = fieldsOf(fieldsOf(spec["affinity"])[kind]);
    const at = `${path}.affinity.${kind}`;
    const none = (term: JsonObject) => !isFields(term["labelSelector"]);
    return [
      ...itemsOf(affinity[hard]).flatMap((term, index) =>
        none(term) ? [`${at}.${hard}[${index}].labelSelector: ${selectsNone}`] : [],
      ),
      ...itemsOf(affinity[soft]).flatMap((term, index) =>
        none(fieldsOf(term["podAffinityTerm"]))
          ? [`${at}.${soft}[${index}].podAffinityTerm.labelSelector: ${selectsNone}`]
          : [],
      ),
    ];
  });
}
