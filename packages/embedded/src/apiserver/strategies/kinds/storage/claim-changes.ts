import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, forbidden, invalid } from "@stowage/machinery/structural";
import { fieldsOf, metadataOf, sameJson, specOf, textOf, withFields } from "../../json-fields.ts";
import { amountOf } from "../amounts.ts";
import { goDiff, goForm } from "../go-types/index.ts";
import { immutableField } from "../immutability.ts";
import { goTypes } from "./go-volume-types.ts";

export const classAnnotation = "volume.beta.kubernetes.io/storage-class";

/** What of a claim must stay as it was: all of its spec but what binding, resizing and modifying it need. */
export function claimChangeErrors(object: JsonObject, old: JsonObject): FieldError[] {
  const [now, before] = [specOf(object), specOf(old)];
  return [
    ...annotationErrors(object, old),
    ...specErrors(object, old),
    ...sizeErrors(now, before, old),
    ...immutableField("volumeMode", now["volumeMode"], before["volumeMode"]),
    ...attributesErrors(now, before, old),
  ];
}

function annotationOf(object: JsonObject): JsonValue | undefined {
  return fieldsOf(metadataOf(object)["annotations"])[classAnnotation];
}

/** The class was an annotation once, and may become a field with the same value. */
function isUpgrade(object: JsonObject, old: JsonObject): boolean {
  const [was, is] = [annotationOf(old), annotationOf(object)];
  const isNew = specOf(old)["storageClassName"] === undefined && specOf(object)["storageClassName"] === was;
  return was !== undefined && isNew && (is === undefined || is === was);
}

function annotationErrors(object: JsonObject, old: JsonObject): FieldError[] {
  if (isUpgrade(object, old)) return [];
  const [now, before] = [textOf(annotationOf(object)), textOf(annotationOf(old))];
  return now === before ? [] : [invalid(`metadata.annotations.${classAnnotation}`, now, "field is immutable")];
}

function specErrors(object: JsonObject, old: JsonObject): FieldError[] {
  const [now, before] = [settled(object, old), withVolume(specOf(old), specOf(object))];
  if (sameJson(withExactAmounts(now), withExactAmounts(before))) return [];
  const diff = goDiff(
    goForm(goTypes, "PersistentVolumeClaimSpec", before),
    goForm(goTypes, "PersistentVolumeClaimSpec", now),
  );
  const detail =
    "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
  return [forbidden("spec", `${detail}\n${diff}`)];
}

/** A claim gets its volume once. */
function withVolume(before: JsonObject, now: JsonObject): JsonObject {
  return textOf(before["volumeName"]) === "" ? withFields(before, { volumeName: now["volumeName"] }) : before;
}

/** The new spec with all that may change as it was. */
function settled(object: JsonObject, old: JsonObject): JsonObject {
  const [now, before] = [specOf(object), specOf(old)];
  const classed = withFields(now, { storageClassName: settledClass(object, old) });
  if (fieldsOf(object["status"])["phase"] !== "Bound") return classed;
  const { volumeAttributesClassName } = before;
  const resources = fieldsOf(now["resources"]);
  const requests = resources["requests"] && {
    ...fieldsOf(resources["requests"]),
    storage: requestOf(before) ?? "0",
  };
  return withFields(classed, { volumeAttributesClassName, resources: withFields(resources, { requests }) });
}

/** One that has none yet may get one, which is the annotation's where there is an annotation. */
function settledClass(object: JsonObject, old: JsonObject): JsonValue | undefined {
  const [now, before] = [specOf(object)["storageClassName"], specOf(old)["storageClassName"]];
  if (isUpgrade(object, old)) return undefined;
  const annotated = annotationOf(old);
  const isFirst = before === undefined && (annotated === undefined || annotated === now);
  return isFirst ? undefined : now;
}

function requestOf(spec: JsonObject): JsonValue | undefined {
  return fieldsOf(fieldsOf(spec["resources"])["requests"])["storage"];
}

/** The same amount is the same, however it is written. */
function withExactAmounts(spec: JsonObject): JsonObject {
  const resources = Object.entries(fieldsOf(spec["resources"])).map(([name, list]): [string, JsonValue] => [
    name,
    Object.fromEntries(
      Object.entries(fieldsOf(list)).map(([key, amount]) => [key, amountOf(amount)?.milliValue().toString() ?? amount]),
    ),
  ]);
  return { ...spec, resources: Object.fromEntries(resources) };
}

/** It may shrink as long as the volume has not grown. */
function sizeErrors(now: JsonObject, before: JsonObject, old: JsonObject): FieldError[] {
  const capacity = fieldsOf(fieldsOf(old["status"])["capacity"])["storage"];
  const [size, last, least] = [requestOf(now), requestOf(before), capacity].map(amountOrNone);
  if (size === undefined || last === undefined || least === undefined) return [];
  if (size >= last || size > least) return [];
  return [forbidden("spec.resources.requests.storage", "field can not be less than status.capacity")];
}

function amountOrNone(value: JsonValue | undefined): bigint {
  return amountOf(value)?.milliValue() ?? 0n;
}

function attributesErrors(now: JsonObject, before: JsonObject, old: JsonObject): FieldError[] {
  const name = "volumeAttributesClassName";
  const isApplied = fieldsOf(old["status"])["currentVolumeAttributesClassName"] !== undefined;
  if (!isApplied || sameJson(now[name], before[name]) || textOf(now[name]) !== "") return [];
  const what = now[name] === undefined ? "nil" : "empty string";
  const when = "when status.currentVolumeAttributesClassName is not nil";
  return [forbidden(`spec.${name}`, `update to ${what} is forbidden ${when}`)];
}
