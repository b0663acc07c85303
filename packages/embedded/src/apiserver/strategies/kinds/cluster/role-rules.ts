import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, invalid, required } from "@stowage/machinery/structural";
import { fieldsOf, listOf, textsOf } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { labelSelectorErrors, selectorMatcher } from "../label-selectors.ts";

export const roleRules: KindRules = {
  checks: {
    create: (object, metadata) => [...metadata, ...ruleListErrors(object, true)],
    update: (object, _, { own, changes }) => [...own, ...ruleListErrors(object, true), ...changes],
  },
};

export const clusterRoleRules: KindRules = {
  checks: {
    create: (object, metadata) => [...metadata, ...clusterRoleErrors(object, undefined)],
    update: (object, old, { own, changes }) => [...own, ...clusterRoleErrors(object, old), ...changes],
  },
};

function clusterRoleErrors(object: JsonObject, old: JsonObject | undefined): FieldError[] {
  return [...ruleListErrors(object, false), ...aggregationErrors(object, old)];
}

function ruleListErrors(object: JsonObject, isNamespaced: boolean): FieldError[] {
  return listOf(object["rules"]).flatMap((rule, index) => ruleErrors(fieldsOf(rule), isNamespaced, `rules[${index}]`));
}

function ruleErrors(rule: JsonObject, isNamespaced: boolean, path: string): FieldError[] {
  const has = (name: string) => textsOf(rule[name]).length > 0;
  const ofVerbs = has("verbs") ? [] : [required(`${path}.verbs`, "verbs must contain at least one value")];
  if (has("nonResourceURLs")) {
    const error = (detail: string) => invalid(`${path}.nonResourceURLs`, rule["nonResourceURLs"], detail);
    const isMixed = ["apiGroups", "resources", "resourceNames"].some(has);
    return [
      ...ofVerbs,
      ...(isNamespaced ? [error("namespaced rules cannot apply to non-resource URLs")] : []),
      ...(isMixed ? [error("rules cannot apply to both regular resources and non-resource URLs")] : []),
    ];
  }
  return [
    ...ofVerbs,
    ...(has("apiGroups") ? [] : [required(`${path}.apiGroups`, "resource rules must supply at least one api group")]),
    ...(has("resources") ? [] : [required(`${path}.resources`, "resource rules must supply at least one resource")]),
  ];
}

function aggregationErrors(object: JsonObject, old: JsonObject | undefined): FieldError[] {
  if (object["aggregationRule"] === undefined) return [];
  const path = "aggregationRule.clusterRoleSelectors";
  const selectors = selectorsOf(object);
  const hadErrors = selectorsOf(old ?? {}).some((selector) => labelSelectorErrors(selector, "").length > 0);
  const detail = "at least one clusterRoleSelector required if aggregationRule is non-nil";
  return [
    ...(selectors.length === 0 ? [required(path, detail)] : []),
    ...selectors.flatMap((selector, index) => {
      const at = `${path}[${index}]`;
      return [
        ...labelSelectorErrors(selector, at, { allowsInvalidValues: hadErrors }),
        ...(selectorMatcher(selector) === undefined ? [invalid(at, null, "invalid label selector.")] : []),
      ];
    }),
  ];
}

function selectorsOf(object: JsonObject): readonly JsonValue[] {
  return listOf(fieldsOf(object["aggregationRule"])["clusterRoleSelectors"]);
}
