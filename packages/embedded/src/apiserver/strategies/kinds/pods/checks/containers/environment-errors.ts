import { dns1123SubdomainErrors } from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, invalid, required } from "@stowage/machinery/structural";
import { isFields, textOf } from "../../../../json-fields.ts";
import { itemErrors, missingErrors, partErrors, problemErrors, when } from "../field-checks.ts";
import { backstepErrors } from "../path-checks.ts";
import { configKeyProblems, labelNameErrors, subdomainNameErrors, variableNameProblems } from "../value-checks.ts";
import { fieldReferenceErrors, resourceReferenceErrors } from "./downward-fields.ts";

export function variableErrors(value: JsonValue | undefined, path: string): FieldError[] {
  return itemErrors(value, path, (variable, at) => {
    const name = textOf(variable["name"]);
    return [
      ...(name === "" ? [required(`${at}.name`)] : problemErrors(`${at}.name`, name, variableNameProblems(name))),
      ...partErrors(variable["valueFrom"], `${at}.valueFrom`, (source, from) => sourceErrors(variable, source, from)),
    ];
  });
}

const variableFields = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
] as const;

const sourceNames = ["fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef"] as const;

function sourceErrors(variable: JsonObject, source: JsonObject, path: string): FieldError[] {
  return [
    ...partErrors(source["fieldRef"], `${path}.fieldRef`, (part, at) => fieldReferenceErrors(part, at, variableFields)),
    ...partErrors(source["resourceFieldRef"], `${path}.resourceFieldRef`, (part, at) =>
      resourceReferenceErrors(part, at, { isOfVolume: false }),
    ),
    ...partErrors(source["configMapKeyRef"], `${path}.configMapKeyRef`, keyErrors),
    ...partErrors(source["secretKeyRef"], `${path}.secretKeyRef`, keyErrors),
    ...partErrors(source["fileKeyRef"], `${path}.fileKeyRef`, fileKeyErrors),
    ...choiceProblem(sourceNames.filter((name) => isFields(source[name])).length, textOf(variable["value"])).map(
      (problem) => invalid(path, "", problem),
    ),
  ];
}

function choiceProblem(count: number, value: string): string[] {
  if (count === 0) {
    return ["must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"];
  }
  if (value !== "") return ["may not be specified when `value` is not empty"];
  return count > 1 ? ["may not have more than one field specified at a time"] : [];
}

function keyErrors(reference: JsonObject, path: string): FieldError[] {
  const key = textOf(reference["key"]);
  return [
    ...subdomainNameErrors(`${path}.name`, reference["name"]),
    ...(key === "" ? [required(`${path}.key`)] : problemErrors(`${path}.key`, key, configKeyProblems(key))),
  ];
}

function fileKeyErrors(reference: JsonObject, path: string): FieldError[] {
  const key = textOf(reference["key"]);
  const volume = textOf(reference["volumeName"]);
  const file = textOf(reference["path"]);
  return [
    ...(key === "" ? [required(`${path}.key`)] : problemErrors(`${path}.key`, key, variableNameProblems(key))),
    ...(volume === "" ? [required(`${path}.volumeName`)] : labelNameErrors(`${path}.volumeName`, volume)),
    ...(file === "" ? [required(`${path}.path`)] : backstepErrors(`${path}.path`, file)),
  ];
}

/** All keys of an object at once. */
export function variableSourceErrors(value: JsonValue | undefined, path: string): FieldError[] {
  return itemErrors(value, path, (source, at) => {
    const prefix = textOf(source["prefix"]);
    const count = ["configMapRef", "secretRef"].filter((name) => isFields(source[name])).length;
    return [
      ...(prefix === "" ? [] : problemErrors(`${at}.prefix`, prefix, variableNameProblems(prefix))),
      ...partErrors(source["configMapRef"], `${at}.configMapRef`, nameErrors),
      ...partErrors(source["secretRef"], `${at}.secretRef`, nameErrors),
      ...when(count === 0, invalid(path, "", "must specify one of: `configMapRef` or `secretRef`")),
      ...when(count > 1, invalid(path, "", "may not have more than one field specified at a time")),
    ];
  });
}

/** Checked as a prefix would be, which may end in a hyphen. */
function nameErrors(reference: JsonObject, path: string): FieldError[] {
  const name = textOf(reference["name"]);
  const whole = name.length > 1 && name.endsWith("-") ? `${name.slice(0, -2)}a` : name;
  return [
    ...missingErrors(reference, path, ["name"]),
    ...(name === "" ? [] : problemErrors(`${path}.name`, name, dns1123SubdomainErrors(whole))),
  ];
}
