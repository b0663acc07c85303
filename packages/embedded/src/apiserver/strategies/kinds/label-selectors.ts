import {
  InvalidSelectorError,
  type LabelMatcher,
  labelMatcherFrom,
  labelValueErrors,
  qualifiedNameErrors,
} from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, forbidden, invalid, required } from "@stowage/machinery/structural";
import { fieldsOf, listOf, textOf, textsOf } from "../json-fields.ts";

export function labelErrors(labels: JsonObject, path: string): FieldError[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...labelKeyErrors(key, path),
    ...labelValueErrors(textOf(value)).map((problem) => invalid(path, value, problem)),
  ]);
}

export function labelKeyErrors(key: string, path: string): FieldError[] {
  return qualifiedNameErrors(key).map((problem) => invalid(path, key, problem));
}

interface SelectorOptions {
  /** Of a selector that was kept before its values were looked at. */
  readonly allowsInvalidValues: boolean;
}

const strict: SelectorOptions = { allowsInvalidValues: false };

export function labelSelectorErrors(
  selector: JsonValue | undefined,
  path: string,
  options: SelectorOptions = strict,
): FieldError[] {
  const { matchLabels, matchExpressions } = fieldsOf(selector);
  return [
    ...labelErrors(fieldsOf(matchLabels), `${path}.matchLabels`),
    ...listOf(matchExpressions).flatMap((expression, index) =>
      expressionErrors(fieldsOf(expression), `${path}.matchExpressions[${index}]`, options),
    ),
  ];
}

function expressionErrors(expression: JsonObject, path: string, options: SelectorOptions): FieldError[] {
  const values = textsOf(expression["values"]);
  const ofValues = values.flatMap((value, index) =>
    labelValueErrors(value).map((problem) => invalid(`${path}.values[${index}]`, value, problem)),
  );
  return [
    ...operatorErrors(textOf(expression["operator"]), values, path),
    ...labelKeyErrors(textOf(expression["key"]), `${path}.key`),
    ...(options.allowsInvalidValues ? [] : ofValues),
  ];
}

function operatorErrors(operator: string, values: readonly string[], path: string): FieldError[] {
  switch (operator) {
    case "In":
    case "NotIn": {
      const detail = "must be specified when `operator` is 'In' or 'NotIn'";
      return values.length === 0 ? [required(`${path}.values`, detail)] : [];
    }
    case "Exists":
    case "DoesNotExist": {
      const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
      return values.length > 0 ? [forbidden(`${path}.values`, detail)] : [];
    }
    default:
      return [invalid(`${path}.operator`, operator, "not a valid selector operator")];
  }
}

/** Undefined for what is no selector. One that is left out selects nothing. */
export function selectorMatcher(selector: JsonValue | undefined): LabelMatcher | undefined {
  try {
    return labelMatcherFrom(isAbsent(selector) ? undefined : fieldsOf(selector));
  } catch (error) {
    if (error instanceof InvalidSelectorError) return undefined;
    throw error;
  }
}

/** Where it is never left out, it is null instead. */
export function isAbsent(selector: JsonValue | undefined): selector is null | undefined {
  return selector === undefined || selector === null;
}

export function isEmptySelector(selector: JsonValue | undefined): boolean {
  const { matchLabels, matchExpressions } = fieldsOf(selector);
  return Object.keys(fieldsOf(matchLabels)).length + listOf(matchExpressions).length === 0;
}

/** As Go prints it: the fields of a struct keep their order. */
export function selectorValue(selector: JsonValue | undefined): unknown {
  if (isAbsent(selector)) return null;
  const { matchLabels, matchExpressions } = fieldsOf(selector);
  return new Map<string, unknown>([
    ...(matchLabels === undefined ? [] : [["matchLabels", matchLabels] as const]),
    ...(matchExpressions === undefined
      ? []
      : [["matchExpressions", listOf(matchExpressions).map(expressionValue)] as const]),
  ]);
}

function expressionValue(expression: JsonValue): unknown {
  const { key, operator, values } = fieldsOf(expression);
  return new Map<string, unknown>([
    ["key", key ?? ""],
    ["operator", operator ?? ""],
    ...(values === undefined ? [] : [["values", values] as const]),
  ]);
}
