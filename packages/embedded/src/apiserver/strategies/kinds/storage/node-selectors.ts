import { labelValueErrors } from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, forbidden, invalid, required } from "@stowage/machinery/structural";
import { fieldsOf, listOf, textOf, textsOf } from "../../json-fields.ts";
import { labelKeyErrors } from "../label-selectors.ts";
import { subdomainErrors } from "./field-checks.ts";

export interface NodeSelectorOptions {
  /** Of a selector that was kept before its values were looked at. */
  readonly allowsInvalidValues: boolean;
}

export function nodeSelectorErrors(
  selector: JsonValue | undefined,
  path: string,
  options: NodeSelectorOptions,
): FieldError[] {
  const at = `${path}.nodeSelectorTerms`;
  const terms = listOf(fieldsOf(selector)["nodeSelectorTerms"]);
  if (terms.length === 0) return [required(at, "must have at least one node selector term")];
  return terms.flatMap((term, index) => nodeTermErrors(fieldsOf(term), `${at}[${index}]`, options));
}

export function hasInvalidValues(selector: JsonValue | undefined): boolean {
  return listOf(fieldsOf(selector)["nodeSelectorTerms"])
    .flatMap((term) => listOf(fieldsOf(term)["matchExpressions"]))
    .flatMap((expression) => textsOf(fieldsOf(expression)["values"]))
    .some((value) => labelValueErrors(value).length > 0);
}

export function nodeTermErrors(term: JsonObject, path: string, options: NodeSelectorOptions): FieldError[] {
  return [
    ...listOf(term["matchExpressions"]).flatMap((each, index) =>
      expressionErrors(fieldsOf(each), `${path}.matchExpressions[${index}]`, options),
    ),
    ...listOf(term["matchFields"]).flatMap((each, index) =>
      fieldErrors(fieldsOf(each), `${path}.matchFields[${index}]`),
    ),
  ];
}

function expressionErrors(expression: JsonObject, path: string, options: NodeSelectorOptions): FieldError[] {
  const values = textsOf(expression["values"]);
  const ofValues = values.flatMap((value, index) =>
    labelValueErrors(value).map((problem) => invalid(`${path}.values[${index}]`, value, problem)),
  );
  return [
    ...operatorErrors(textOf(expression["operator"]), values.length, path),
    ...labelKeyErrors(textOf(expression["key"]), `${path}.key`),
    ...(options.allowsInvalidValues ? [] : ofValues),
  ];
}

function operatorErrors(operator: string, count: number, path: string): FieldError[] {
  const at = `${path}.values`;
  switch (operator) {
    case "In":
    case "NotIn":
      return count === 0 ? [required(at, "must be specified when `operator` is 'In' or 'NotIn'")] : [];
    case "Exists":
    case "DoesNotExist":
      return count > 0 ? [forbidden(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")] : [];
    case "Gt":
    case "Lt":
      return count === 1 ? [] : [required(at, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalid(`${path}.operator`, operator, "not a valid selector operator")];
  }
}

function fieldErrors(field: JsonObject, path: string): FieldError[] {
  const values = textsOf(field["values"]);
  const [operator, key] = [textOf(field["operator"]), textOf(field["key"])];
  const one = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
  const ofOperator = ["In", "NotIn"].includes(operator)
    ? values.length === 1
      ? []
      : [required(`${path}.values`, one)]
    : [invalid(`${path}.operator`, operator, "not a valid selector operator")];
  if (key !== "metadata.name") {
    return [...ofOperator, invalid(`${path}.key`, key, "not a valid field selector key")];
  }
  return [...ofOperator, ...values.flatMap((value, index) => subdomainErrors(value, `${path}.values[${index}]`))];
}

const outdatedLabels: ReadonlyMap<string, string> = new Map([
  ["beta.kubernetes.io/arch", 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ["beta.kubernetes.io/os", 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ["failure-domain.beta.kubernetes.io/region", 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ["failure-domain.beta.kubernetes.io/zone", 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ["beta.kubernetes.io/instance-type", 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
  ["app.kubernetes.io/created-by", "deprecated since v1.9"],
  ["scheduler.alpha.kubernetes.io/preferAvoidPods", "deprecated since v1.22; use Taints and Tolerations instead"],
  ["node-role.kubernetes.io/master", 'use "node-role.kubernetes.io/control-plane" instead'],
]);

/** Why a label of nodes should not be asked for any more. */
export function outdatedLabel(key: JsonValue | undefined): string | undefined {
  return outdatedLabels.get(textOf(key));
}

/** Of expressions that name labels of nodes. */
export function expressionWarnings(expressions: JsonValue | undefined, path: string): string[] {
  return listOf(expressions).flatMap((expression, index) => {
    const key = fieldsOf(expression)["key"];
    const why = outdatedLabel(key);
    return why === undefined ? [] : [`${path}.matchExpressions[${index}].key: ${textOf(key)} is ${why}`];
  });
}
