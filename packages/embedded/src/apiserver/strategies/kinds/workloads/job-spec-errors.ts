import { dns1123SubdomainErrors } from "@stowage/machinery";
import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, invalid, notSupported, required, tooLong } from "@stowage/machinery/structural";
import { fieldsOf, numberOf, specOf, textOf } from "../../json-fields.ts";
import { labelSelectorErrors, selectorMatcher } from "../label-selectors.ts";
import { nonNegativeErrors } from "../number-checks.ts";
import { failurePolicyErrors, successPolicyErrors } from "./job-policy-errors.ts";
import { selectedErrors, templateErrors, templateOf } from "./pod-templates.ts";
import { shownPart } from "./workload-types.ts";

const mostAtOnce = 100_000;
const manyCompletions = 100_000;
const mostOfMany = 10_000;

/** Of a Job, which has its selector. */
export function jobSpecErrors(spec: JsonObject, old: JsonObject | undefined): FieldError[] {
  const { selector } = spec;
  const before = old?.["selector"];
  const options = { allowsInvalidValues: before !== undefined && labelSelectorErrors(before, "").length > 0 };
  const matcher = selectorMatcher(selector);
  return [
    ...jobPartErrors(spec, "spec", old),
    ...(selector === undefined ? [required("spec.selector")] : labelSelectorErrors(selector, "spec.selector", options)),
    ...(matcher === undefined ? [] : selectedErrors(matcher, templateOf(spec), "spec.template")),
  ];
}

/** Of a Job or of what a CronJob makes them from. */
export function jobPartErrors(spec: JsonObject, path: string, old: JsonObject | undefined): FieldError[] {
  return [
    ...nonNegativeErrors(spec, path, [
      "parallelism",
      "completions",
      "activeDeadlineSeconds",
      "backoffLimit",
      "ttlSecondsAfterFinished",
      "backoffLimitPerIndex",
      "maxFailedIndexes",
    ]),
    ...unlimitedIndexErrors(spec, path),
    ...managerErrors(spec, `${path}.managedBy`),
    ...modeErrors(spec, path),
    ...(spec["podFailurePolicy"] === undefined ? [] : failurePolicyErrors(spec, `${path}.podFailurePolicy`)),
    ...successErrors(spec, `${path}.successPolicy`),
    ...replacementErrors(spec, `${path}.podReplacementPolicy`),
    ...templateErrors(spec, `${path}.template`, old),
    ...restartErrors(spec, `${path}.template.spec.restartPolicy`),
  ];
}

function unlimitedIndexErrors(spec: JsonObject, path: string): FieldError[] {
  if (spec["maxFailedIndexes"] === undefined || spec["backoffLimitPerIndex"] !== undefined) return [];
  return [required(`${path}.backoffLimitPerIndex`, "when maxFailedIndexes is specified")];
}

const pathPattern = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/u;

function managerErrors({ managedBy }: JsonObject, path: string): FieldError[] {
  if (managedBy === undefined) return [];
  const manager = textOf(managedBy);
  return [...prefixedPathErrors(manager, path), ...(Buffer.byteLength(manager) > 63 ? [tooLong(path, 63)] : [])];
}

/** `acme.io/foo` */
function prefixedPathErrors(value: string, path: string): FieldError[] {
  if (value === "") return [required(path)];
  const slash = value.indexOf("/");
  const [host, rest] = [value.slice(0, slash), value.slice(slash + 1)];
  if (slash <= 0 || rest === "") {
    return [invalid(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const message = "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')";
  return [
    ...dns1123SubdomainErrors(host).map((problem) => invalid(path, host, problem)),
    ...(pathPattern.test(rest) ? [] : [invalid(path, rest, message)]),
  ];
}

function modeErrors(spec: JsonObject, path: string): FieldError[] {
  const mode = spec["completionMode"];
  const isPlain = mode === undefined || mode === "NonIndexed";
  if (isPlain) return indexFieldErrors(spec, path);
  if (mode === "Indexed") return indexedErrors(spec, path);
  return [notSupported(`${path}.completionMode`, mode, ["NonIndexed", "Indexed"])];
}

function indexFieldErrors(spec: JsonObject, path: string): FieldError[] {
  return ["backoffLimitPerIndex", "maxFailedIndexes"]
    .filter((name) => spec[name] !== undefined)
    .map((name) => invalid(`${path}.${name}`, spec[name], "requires indexed completion mode"));
}

function indexedErrors(spec: JsonObject, path: string): FieldError[] {
  const completions = numberOf(spec["completions"]);
  const parallelism = numberOf(spec["parallelism"]) ?? 0;
  const mostFailed = numberOf(spec["maxFailedIndexes"]);
  const atMost = (name: string, limit: number | string, when = "") =>
    invalid(`${path}.${name}`, spec[name], `must be less than or equal to ${limit}${when}`);
  const isLimited = spec["backoffLimitPerIndex"] !== undefined;
  const isMany = isLimited && completions !== undefined && completions > manyCompletions;
  return [
    ...(completions === undefined ? [required(`${path}.completions`, "when completion mode is Indexed")] : []),
    ...(parallelism > mostAtOnce ? [atMost("parallelism", mostAtOnce, " when completion mode is Indexed")] : []),
    ...(completions !== undefined && (mostFailed ?? 0) > completions
      ? [atMost("maxFailedIndexes", "completions")]
      : []),
    ...((mostFailed ?? 0) > mostAtOnce ? [atMost("maxFailedIndexes", mostAtOnce)] : []),
    ...(isMany ? manyIndexErrors(spec, path) : []),
  ];
}

function manyIndexErrors(spec: JsonObject, path: string): FieldError[] {
  const mostFailed = numberOf(spec["maxFailedIndexes"]);
  const when = `when completions are above ${manyCompletions} and used with backoff limit per index`;
  const detail = `must be less than or equal to ${mostOfMany} ${when}`;
  const limit = `must be specified when completions is above ${manyCompletions}`;
  return [
    ...(mostFailed === undefined ? [required(`${path}.maxFailedIndexes`, limit)] : []),
    ...["parallelism", "maxFailedIndexes"]
      .filter((name) => (numberOf(spec[name]) ?? 0) > mostOfMany)
      .map((name) => invalid(`${path}.${name}`, spec[name], detail)),
  ];
}

function successErrors(spec: JsonObject, path: string): FieldError[] {
  const policy = spec["successPolicy"];
  if (policy === undefined) return [];
  if (spec["completionMode"] === "Indexed") return successPolicyErrors(spec, path);
  return [invalid(path, shownPart("SuccessPolicy", fieldsOf(policy)), "requires indexed completion mode")];
}

function replacementErrors(spec: JsonObject, path: string): FieldError[] {
  const policy = spec["podReplacementPolicy"];
  const known = spec["podFailurePolicy"] === undefined ? ["Failed", "TerminatingOrFailed"] : ["Failed"];
  return policy === undefined || known.includes(textOf(policy)) ? [] : [notSupported(path, policy, known)];
}

function restartErrors(spec: JsonObject, path: string): FieldError[] {
  const policy = textOf(specOf(templateOf(spec))["restartPolicy"]);
  if (policy === "" || policy === "Always") return [required(path, 'valid values: "OnFailure", "Never"')];
  if (policy !== "OnFailure" && policy !== "Never") return [notSupported(path, policy, ["OnFailure", "Never"])];
  if (spec["podFailurePolicy"] === undefined || policy === "Never") return [];
  return [invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified')];
}
