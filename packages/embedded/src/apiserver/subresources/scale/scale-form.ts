import { type LabelSelectorShape, labelMatcherFrom, labelMatcherFromLabels } from "@stowage/machinery";
import { fieldPath, type JsonObject, type JsonValue, type ReplicasPaths } from "@stowage/machinery/apply";
import type { ServedResource } from "../../resources/index.ts";
import { fieldsOf, numberOf, specOf, textOf } from "../../strategies/index.ts";

/** Where the objects of a resource keep what their scale shows. */
export interface ScaleForm {
  readonly isCustom: boolean;
  /** In every version of the resource. */
  readonly paths: ReplicasPaths;
  readonly replicas: readonly string[];
  readonly currentReplicas: readonly string[];
  /** As text. */
  selectorOf(object: JsonObject): string;
}

/** Undefined for a resource without a scale. */
export function scaleFormOf(resource: ServedResource): ScaleForm | undefined {
  const { group, version, subresources, definition } = resource;
  if (!subresources.some(({ name }) => name === "scale")) return undefined;
  if (definition !== undefined) return customForm(definition, version);
  const path = fieldPath("spec", "replicas");
  const versions = group === "" ? ["v1"] : ["apps/v1", "apps/v1beta1", "apps/v1beta2", "extensions/v1beta1"];
  return {
    isCustom: false,
    paths: Object.fromEntries(versions.map((each) => [each, path])),
    replicas: ["spec", "replicas"],
    currentReplicas: ["status", "replicas"],
    selectorOf: group === "" ? plainSelector : fullSelector,
  };
}

function plainSelector(object: JsonObject): string {
  return labelMatcherFromLabels(fieldsOf(specOf(object)["selector"]) as Record<string, string>).toString();
}

function fullSelector(object: JsonObject): string {
  return labelMatcherFrom(specOf(object)["selector"] as LabelSelectorShape | undefined).toString();
}

function customForm({ spec }: NonNullable<ServedResource["definition"]>, version: string): ScaleForm | undefined {
  const scales = spec.versions.map(({ name, subresources }) => [name, subresources?.scale] as const);
  const own = scales.find(([name]) => name === version)?.[1];
  if (own === undefined) return undefined;
  const paths = scales.map(([name, scale]) => [
    `${spec.group}/${name}`,
    scale === undefined ? null : fieldPath(...segments(scale.specReplicasPath)),
  ]);
  const selector = own.labelSelectorPath ?? "";
  return {
    isCustom: true,
    paths: Object.fromEntries(paths) as ReplicasPaths,
    replicas: segments(own.specReplicasPath),
    currentReplicas: segments(own.statusReplicasPath),
    selectorOf: (object) => (selector === "" ? "" : textOf(valueAt(object, segments(selector)))),
  };
}

/** `.spec.replicas` */
function segments(path: string): string[] {
  return path.replace(/^\./u, "").split(".");
}

function valueAt(object: JsonObject, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((value, name) => fieldsOf(value)[name], object);
}

export function countAt(object: JsonObject, path: readonly string[]): number | undefined {
  return numberOf(valueAt(object, path));
}

export function withCountAt(object: JsonObject, [name = "", ...rest]: readonly string[], count: number): JsonObject {
  return { ...object, [name]: rest.length === 0 ? count : withCountAt(fieldsOf(object[name]), rest, count) };
}
