import { qualifiedNameErrors } from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import {
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  omittedValue,
  required,
  tooLong,
  tooMany,
} from "@stowage/machinery/structural";
import { fieldsOf, listOf, numberOf, specOf, textOf } from "../../json-fields.ts";
import { nonNegativeError } from "../number-checks.ts";
import { countedIndexes } from "./job-indexes.ts";
import { templateOf } from "./pod-templates.ts";

const mostRules = 20;
const mostExitCodes = 255;
const mostIndexBytes = 64 * 1024;

/** When a Job is done though not all of its Pods are. */
export function successPolicyErrors(spec: JsonObject, path: string): FieldError[] {
  const rules = listOf(fieldsOf(spec["successPolicy"])["rules"]);
  const at = `${path}.rules`;
  const detail = "at least one rules must be specified when the successPolicy is specified";
  return [
    ...(rules.length === 0 ? [required(at, detail)] : []),
    ...(rules.length > mostRules ? [tooMany(at, rules.length, mostRules)] : []),
    ...rules.flatMap((rule, index) =>
      successRuleErrors(fieldsOf(rule), numberOf(spec["completions"]) ?? 0, `${at}[${index}]`),
    ),
  ];
}

function successRuleErrors(rule: JsonObject, completions: number, path: string): FieldError[] {
  const { succeededIndexes, succeededCount } = rule;
  if (succeededIndexes === undefined && succeededCount === undefined) {
    return [required(path, "at least one of succeededCount or succeededIndexes must be specified")];
  }
  const counted = countedIndexes(textOf(succeededIndexes), completions);
  return [
    ...(succeededIndexes === undefined ? [] : indexErrors(textOf(succeededIndexes), counted, path)),
    ...(succeededCount === undefined
      ? []
      : countErrors(succeededCount, `${path}.succeededCount`, [
          [completions, "the number of specified completions"],
          ...(succeededIndexes === undefined
            ? []
            : ([[totalOf(counted), "the number of indexes in the specified succeededIndexes field"]] as const)),
        ])),
  ];
}

function totalOf(counted: number | string): number {
  return typeof counted === "number" ? counted : 0;
}

function indexErrors(indexes: string, counted: number | string, path: string): FieldError[] {
  const at = `${path}.succeededIndexes`;
  return [
    ...(Buffer.byteLength(indexes) > mostIndexBytes ? [tooLong(at, mostIndexBytes)] : []),
    ...(typeof counted === "string" ? [invalid(at, indexes, `error parsing succeededIndexes: ${counted}`)] : []),
  ];
}

function countErrors(
  count: JsonValue,
  path: string,
  limits: readonly (readonly [limit: number, what: string])[],
): FieldError[] {
  return [
    ...nonNegativeError(count, path),
    ...limits
      .filter(([limit]) => (numberOf(count) ?? 0) > limit)
      .map(([limit, what]) => invalid(path, count, `must be less than or equal to ${limit} (${what})`)),
  ];
}

/** What becomes of a Job when one of its Pods has failed. */
export function failurePolicyErrors(spec: JsonObject, path: string): FieldError[] {
  const rules = listOf(fieldsOf(spec["podFailurePolicy"])["rules"]);
  const at = `${path}.rules`;
  return [
    ...(rules.length > mostRules ? [tooMany(at, rules.length, mostRules)] : []),
    ...rules.flatMap((rule, index) => failureRuleErrors(fieldsOf(rule), spec, `${at}[${index}]`)),
  ];
}

function failureRuleErrors(rule: JsonObject, spec: JsonObject, path: string): FieldError[] {
  const { onExitCodes, onPodConditions } = rule;
  const patterns = listOf(onPodConditions);
  const both = "specifying both OnExitCodes and OnPodConditions is not supported";
  const neither = "specifying one of OnExitCodes and OnPodConditions is required";
  const hasCodes = onExitCodes !== undefined;
  return [
    ...actionErrors(textOf(rule["action"]), spec, `${path}.action`),
    ...(hasCodes ? exitCodeErrors(fieldsOf(onExitCodes), containerNames(spec), `${path}.onExitCodes`) : []),
    ...conditionErrors(patterns, `${path}.onPodConditions`),
    ...(hasCodes && patterns.length > 0 ? [invalid(path, omittedValue, both)] : []),
    ...(hasCodes || patterns.length > 0 ? [] : [invalid(path, omittedValue, neither)]),
  ];
}

const actions = ["Count", "FailIndex", "FailJob", "Ignore"];

function actionErrors(action: string, spec: JsonObject, path: string): FieldError[] {
  if (action === "FailIndex") {
    const detail = "requires the backoffLimitPerIndex to be set";
    return spec["backoffLimitPerIndex"] === undefined ? [invalid(path, action, detail)] : [];
  }
  return choiceErrors(action, actions, path);
}

function choiceErrors(value: string, known: readonly string[], path: string): FieldError[] {
  if (value === "") return [required(path, `valid values: [${known.map((each) => `"${each}"`).join(" ")}]`)];
  return known.includes(value) ? [] : [notSupported(path, value, known)];
}

function containerNames(spec: JsonObject): string[] {
  const { containers, initContainers } = specOf(templateOf(spec));
  return [...listOf(containers), ...listOf(initContainers)].map((container) => textOf(fieldsOf(container)["name"]));
}

function conditionErrors(patterns: readonly JsonValue[], path: string): FieldError[] {
  return [
    ...(patterns.length > mostRules ? [tooMany(path, patterns.length, mostRules)] : []),
    ...patterns.flatMap((pattern, index) => {
      const { type, status } = fieldsOf(pattern);
      const at = `${path}[${index}]`;
      return [
        ...qualifiedNameErrors(textOf(type)).map((problem) => invalid(`${at}.type`, type ?? "", problem)),
        ...choiceErrors(textOf(status), ["False", "True", "Unknown"], `${at}.status`),
      ];
    }),
  ];
}

function exitCodeErrors(requirement: JsonObject, containers: readonly string[], path: string): FieldError[] {
  const { operator, containerName, values } = requirement;
  const isUnknown = containerName !== undefined && !containers.includes(textOf(containerName));
  const detail = "must be one of the container or initContainer names in the pod template";
  return [
    ...choiceErrors(textOf(operator), ["In", "NotIn"], `${path}.operator`),
    ...(isUnknown ? [invalid(`${path}.containerName`, containerName, detail)] : []),
    ...codeErrors(listOf(values), textOf(operator), `${path}.values`),
  ];
}

function codeErrors(codes: readonly JsonValue[], operator: string, path: string): FieldError[] {
  const isOrdered = codes.every((code, index) => index === 0 || Number(codes[index - 1]) <= Number(code));
  return [
    ...(codes.length === 0 ? [invalid(path, null, "at least one value is required")] : []),
    ...(codes.length > mostExitCodes ? [tooMany(path, codes.length, mostExitCodes)] : []),
    ...codes.flatMap((code, index) => [
      ...(operator === "In" && code === 0
        ? [invalid(`${path}[${index}]`, code, "must not be 0 for the In operator")]
        : []),
      ...(codes.indexOf(code) < index ? [duplicate(`${path}[${index}]`, code)] : []),
    ]),
    ...(isOrdered ? [] : [invalid(path, codes, "must be ordered")]),
  ];
}
