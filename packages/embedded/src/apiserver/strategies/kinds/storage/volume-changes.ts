import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, forbidden, invalid } from "@stowage/machinery/structural";
import { fieldsOf, listOf, sameJson, textOf, withFields } from "../../json-fields.ts";
import { goDiff, goForm } from "../go-types/index.ts";
import { immutableField } from "../immutability.ts";
import { goTypes } from "./go-volume-types.ts";

/** What of the spec of a volume must stay as it was. */
export function volumeChangeErrors(now: JsonObject, before: JsonObject): FieldError[] {
  const attributes = "volumeAttributesClassName";
  return [
    ...sourceErrors(now, before),
    ...immutableField("volumeMode", now["volumeMode"], before["volumeMode"]),
    ...affinityErrors(now["nodeAffinity"], before["nodeAffinity"]),
    ...(before[attributes] !== undefined && now[attributes] === undefined
      ? [forbidden(`spec.${attributes}`, "update from non-nil value to nil is forbidden")]
      : []),
  ];
}

/** A secret for expanding it may be added; everything else of where a volume is stays. */
function sourceErrors(now: JsonObject, before: JsonObject): FieldError[] {
  const mayAddSecret = before["csi"] !== undefined && secretOf(before) === undefined && secretOf(now) !== undefined;
  const csi = withFields(fieldsOf(now["csi"]), { controllerExpandSecretRef: undefined });
  const compared = mayAddSecret ? { ...now, csi } : now;
  const [was, is] = [before, compared].map((spec) => goForm(goTypes, "PersistentVolumeSource", spec));
  const diff = goDiff(was, is);
  if (diff === "") return [];
  const detail = `spec.persistentvolumesource is immutable after creation\n${diff}`;
  return [forbidden("spec.persistentvolumesource", detail)];
}

function secretOf(spec: JsonObject): JsonValue | undefined {
  return fieldsOf(spec["csi"])["controllerExpandSecretRef"];
}

/** Set once, but for labels of nodes that have got another name since. */
function affinityErrors(now: JsonValue | undefined, before: JsonValue | undefined): FieldError[] {
  if (before === undefined || sameJson(now, renamed(fieldsOf(before), fieldsOf(now)))) return [];
  const shown = now === undefined ? null : goForm(goTypes, "VolumeNodeAffinity", fieldsOf(now));
  return [invalid("nodeAffinity", shown, "field is immutable, except for updating from beta label to GA")];
}

const newLabels: ReadonlyMap<string, string> = new Map([
  ["failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"],
  ["failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"],
  ["beta.kubernetes.io/os", "kubernetes.io/os"],
  ["beta.kubernetes.io/arch", "kubernetes.io/arch"],
  ["beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type"],
]);

/** The affinity as it was, with the new names of labels where the other has them. */
function renamed(before: JsonObject, now: JsonObject): JsonObject {
  const others = termsOf(now);
  const terms = termsOf(before).map((term, index) => {
    const other = fieldsOf(others[index]);
    return withFields(fieldsOf(term), {
      matchExpressions: renamedList(term, other, "matchExpressions"),
      matchFields: renamedList(term, other, "matchFields"),
    });
  });
  return { ...before, required: { ...fieldsOf(before["required"]), nodeSelectorTerms: terms } };
}

function termsOf(affinity: JsonObject): readonly JsonObject[] {
  return listOf(fieldsOf(affinity["required"])["nodeSelectorTerms"]).map(fieldsOf);
}

function renamedList(term: JsonObject, other: JsonObject, name: string): JsonValue | undefined {
  if (term[name] === undefined) return undefined;
  const others = listOf(other[name]);
  return listOf(term[name]).map((item, index) => {
    const key = textOf(fieldsOf(others[index])["key"]);
    const requirement = fieldsOf(item);
    return newLabels.get(textOf(requirement["key"])) === key ? { ...requirement, key } : item;
  });
}
