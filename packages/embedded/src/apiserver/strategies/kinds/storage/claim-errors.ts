import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, invalid, required } from "@stowage/machinery/structural";
import { fieldsOf, isFields, listOf, sameJson, textOf } from "../../json-fields.ts";
import { amountOf } from "../amounts.ts";
import { labelSelectorErrors } from "../label-selectors.ts";
import { accessModeErrors, choiceErrors, labelErrors, subdomainErrors, volumeModes } from "./field-checks.ts";

/** What is wrong with the spec of a claim, or of a template of one, which has no old one. */
export function claimSpecErrors(spec: JsonObject, path: string, old: JsonObject | undefined): FieldError[] {
  const modes = `${path}.accessModes`;
  const hadInvalidSelector = labelSelectorErrors(old?.["selector"], "").length > 0;
  return [
    ...(listOf(spec["accessModes"]).length === 0 ? [required(modes, "at least 1 access mode is required")] : []),
    ...labelSelectorErrors(spec["selector"], `${path}.selector`, { allowsInvalidValues: hadInvalidSelector }),
    ...accessModeErrors(spec["accessModes"], modes),
    ...sizeErrors(spec, `${path}.resources[storage]`),
    ...classErrors(spec["storageClassName"], `${path}.storageClassName`),
    ...choiceErrors(spec["volumeMode"], `${path}.volumeMode`, volumeModes),
    ...dataSourceErrors(spec, path, old),
    ...classErrors(spec["volumeAttributesClassName"], `${path}.volumeAttributesClassName`),
  ];
}

function sizeErrors(spec: JsonObject, path: string): FieldError[] {
  const size = fieldsOf(fieldsOf(spec["resources"])["requests"])["storage"];
  if (size === undefined) return [required(path)];
  const amount = amountOf(size);
  const isSome = amount !== undefined && !amount.isZero() && !amount.isNegative();
  return isSome ? [] : [invalid(path, textOf(size), "must be greater than zero")];
}

function classErrors(name: JsonValue | undefined, path: string): FieldError[] {
  return textOf(name) === "" ? [] : subdomainErrors(textOf(name), path);
}

function dataSourceErrors(spec: JsonObject, path: string, old: JsonObject | undefined): FieldError[] {
  const { dataSource, dataSourceRef } = spec;
  const allowsAnyGroup = hasGroup(old?.["dataSource"]) || hasGroup(old?.["dataSourceRef"]);
  const namespace = textOf(fieldsOf(dataSourceRef)["namespace"]);
  return [
    ...referenceErrors(dataSource, `${path}.dataSource`, allowsAnyGroup),
    ...referenceErrors(dataSourceRef, `${path}.dataSourceRef`, allowsAnyGroup),
    ...(namespace === "" ? [] : labelErrors(namespace, `${path}.dataSourceRef.namespace`)),
    ...mismatchErrors(spec, path, namespace),
  ];
}

function hasGroup(reference: JsonValue | undefined): boolean {
  return typeof fieldsOf(reference)["apiGroup"] === "string";
}

function referenceErrors(reference: JsonValue | undefined, path: string, allowsAnyGroup: boolean): FieldError[] {
  if (!isFields(reference)) return [];
  const [kind, group] = [textOf(reference["kind"]), textOf(reference["apiGroup"])];
  const detail = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
  return [
    ...(textOf(reference["name"]) === "" ? [required(`${path}.name`)] : []),
    ...(kind === "" ? [required(`${path}.kind`)] : []),
    ...(group === "" && kind !== "PersistentVolumeClaim" ? [invalid(path, kind, detail)] : []),
    ...(group === "" || allowsAnyGroup ? [] : subdomainErrors(group, `${path}.apiGroup`)),
  ];
}

/** Messages show a path of Go's own here, of which nothing can be seen. */
const hidden = {};

function mismatchErrors({ dataSource, dataSourceRef }: JsonObject, path: string, namespace: string): FieldError[] {
  if (!isFields(dataSource) || !isFields(dataSourceRef)) return [];
  if (namespace !== "")
    return [invalid(path, hidden, "may not be specified when dataSourceRef.namespace is specified")];
  const isSame = ["apiGroup", "kind", "name"].every((name) => sameJson(dataSource[name], dataSourceRef[name]));
  return isSame ? [] : [invalid(path, hidden, "must match dataSourceRef")];
}
