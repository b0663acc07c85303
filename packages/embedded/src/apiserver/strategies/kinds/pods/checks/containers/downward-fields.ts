import { qualifiedNameErrors } from "@stowage/machinery";
import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, invalid, required } from "@stowage/machinery/structural";
import { textOf } from "../../../../json-fields.ts";
import { amountOf } from "../../../amounts.ts";
import { choiceErrors, problemErrors, when } from "../field-checks.ts";

/** What a Pod can be told of itself. */

const subscripted = /^(.+?)\['(.*)'\]$/su;

const labels: ReadonlySet<string> = new Set([
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.restartPolicy",
  "spec.serviceAccountName",
  "spec.schedulerName",
  "status.phase",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
]);

export function fieldReferenceErrors(reference: JsonObject, path: string, fields: readonly string[]): FieldError[] {
  const field = textOf(reference["fieldPath"]);
  if (field === "") return [required(`${path}.fieldPath`)];
  const problem = conversionProblem(textOf(reference["apiVersion"]), field);
  if (problem !== undefined) {
    return [invalid(`${path}.fieldPath`, field, `error converting fieldPath: ${problem}`)];
  }
  const [, map, key = ""] = subscripted.exec(field) ?? [];
  if (map === undefined)
    return choiceErrors(`${path}.fieldPath`, field === "spec.host" ? "spec.nodeName" : field, fields);
  const subscript = map === "metadata.annotations" ? key.toLowerCase() : key;
  return problemErrors(path, subscript, qualifiedNameErrors(subscript));
}

function conversionProblem(version: string, field: string): string | undefined {
  if (version !== "v1") return `unsupported pod version: ${version}`;
  const map = subscripted.exec(field)?.[1];
  if (map === undefined) {
    return labels.has(field) || field === "spec.host" ? undefined : `field label not supported: ${field}`;
  }
  const isMap = map === "metadata.annotations" || map === "metadata.labels";
  return isMap ? undefined : `field label does not support subscript: ${field}`;
}

const resources = ["cpu", "memory", "ephemeral-storage"].flatMap((name) => [`limits.${name}`, `requests.${name}`]);
const hugePages = /^(?:limits|requests)\.hugepages-/u;

export interface ResourceReferenceOptions {
  /** A volume has to name the container, an environment is one's own. */
  readonly isOfVolume: boolean;
}

export function resourceReferenceErrors(
  reference: JsonObject,
  path: string,
  { isOfVolume }: ResourceReferenceOptions,
): FieldError[] {
  const resource = textOf(reference["resource"]);
  const isNameless = isOfVolume && textOf(reference["containerName"]) === "";
  const own = isNameless
    ? [required(`${path}.containerName`)]
    : resource === ""
      ? [required(`${path}.resource`)]
      : hugePages.test(resource)
        ? []
        : choiceErrors(`${path}.resource`, resource, resources);
  return [...own, ...divisorErrors(reference, path)];
}

const bytes = ["1", ..."kMGTPE".split("").map((unit) => `1${unit}`), ..."KMGTPE".split("").map((unit) => `1${unit}i`)];

function divisorErrors(reference: JsonObject, path: string): FieldError[] {
  const divisor = amountOf(reference["divisor"]);
  if (divisor === undefined || divisor.isZero()) return [];
  const resource = textOf(reference["resource"]);
  const [units, name] = unitsOf(resource);
  const detail = `only divisor's values ${listed(units)} are supported with the ${name} resource`;
  const isWrong = units.length > 0 && !units.includes(divisor.toString());
  return when(isWrong, invalid(`${path}.divisor`, resource, detail));
}

function unitsOf(resource: string): readonly [readonly string[], string] {
  if (hugePages.test(resource)) return [bytes, "hugepages"];
  switch (resource.replace(/^(?:limits|requests)\./u, "")) {
    case "cpu":
      return [["1m", "1"], "cpu"];
    case "memory":
      return [bytes, "memory"];
    case "ephemeral-storage":
      return [bytes, "local ephemeral storage"];
    default:
      return [[], ""];
  }
}

function listed(units: readonly string[]): string {
  return units.length === 2 ? units.join(" and ") : units.join(", ");
}
