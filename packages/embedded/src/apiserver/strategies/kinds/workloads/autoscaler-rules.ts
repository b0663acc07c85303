import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, forbidden, invalid, required } from "@stowage/machinery/structural";
import { fieldsOf, numberOf, specOf, textOf } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { pathSegmentProblems } from "../../metadata-update.ts";
import { withDefaults } from "../field-defaults.ts";
import { nonNegativeErrors } from "../number-checks.ts";

/** As its first version has it: by the use of processors alone. */
export const autoscalerRules: KindRules = {
  defaults: autoscalerDefaults,
  checks: {
    create: (object, metadata) => [...metadata, ...specErrors(specOf(object), undefined)],
    update: (object, old, { changes }) => [...changes, ...specErrors(specOf(object), specOf(old))],
    status: (object, _, { changes }) => [
      ...changes,
      ...nonNegativeErrors(fieldsOf(object["status"]), "status", ["currentReplicas", "desiredReplicas"]),
    ],
  },
};

function autoscalerDefaults(object: JsonObject): JsonObject {
  return { ...object, spec: withDefaults(specOf(object), { minReplicas: 1, targetCPUUtilizationPercentage: 80 }) };
}

function specErrors(spec: JsonObject, old: JsonObject | undefined): FieldError[] {
  const target = fieldsOf(spec["scaleTargetRef"]);
  const known = fieldsOf(old?.["scaleTargetRef"]);
  const isSame = old !== undefined && known["apiVersion"] === target["apiVersion"] && known["kind"] === target["kind"];
  return [
    ...replicaErrors(spec, numberOf(old?.["minReplicas"]) === 0 ? 0 : 1),
    ...targetErrors(target, isSame),
    ...utilizationErrors(spec),
  ];
}

function replicaErrors(spec: JsonObject, least: number): FieldError[] {
  const min = numberOf(spec["minReplicas"]);
  const max = numberOf(spec["maxReplicas"]) ?? 0;
  const path = "spec.maxReplicas";
  const isLow = min !== undefined && min < least;
  return [
    ...(isLow ? [invalid("spec.minReplicas", min, `must be greater than or equal to ${least}`)] : []),
    ...(max === 0 ? [required(path, "must be set and greater than 0")] : []),
    ...(max < 0 ? [invalid(path, max, "must be greater than or equal to 1")] : []),
    ...(min !== undefined && max < min ? [invalid(path, max, "must be greater than or equal to `minReplicas`")] : []),
  ];
}

function targetErrors(target: JsonObject, isSame: boolean): FieldError[] {
  const path = "spec.scaleTargetRef";
  const { kind, name, apiVersion } = target;
  const problem = isSame ? undefined : versionProblem(textOf(apiVersion), kind === "ReplicationController");
  return [
    ...segmentErrors(textOf(kind), `${path}.kind`),
    ...segmentErrors(textOf(name), `${path}.name`),
    ...(problem === undefined ? [] : [invalid(`${path}.apiVersion`, apiVersion ?? "", problem)]),
  ];
}

function segmentErrors(value: string, path: string): FieldError[] {
  if (value === "") return [required(path)];
  return pathSegmentProblems(value, false).map((problem) => invalid(path, value, problem));
}

function versionProblem(apiVersion: string, isOfCore: boolean): string | undefined {
  const parts = apiVersion.split("/");
  if (parts.length > 2) return `unexpected GroupVersion string: ${apiVersion}`;
  const hasGroup = parts.length === 2 && parts[0] !== "";
  return hasGroup || isOfCore ? undefined : "apiVersion must specify API group";
}

/** To the original it is one of many measures. */
function utilizationErrors(spec: JsonObject): FieldError[] {
  const target = numberOf(spec["targetCPUUtilizationPercentage"]);
  const path = "spec.metrics";
  const isZero = numberOf(spec["minReplicas"]) === 0;
  const detail = "must specify at least one Object or External metric to support scaling to zero replicas";
  const positive = "must be greater than 0";
  return [
    ...(target !== undefined && target < 1
      ? [invalid(`${path}[0].resource.target.averageUtilization`, target, positive)]
      : []),
    ...(isZero ? [forbidden(path, detail)] : []),
  ];
}
