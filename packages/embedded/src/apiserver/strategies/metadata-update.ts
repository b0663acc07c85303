import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, forbidden, invalid, metadataErrors } from "@stowage/machinery/structural";
import { metadataOf, sameJson, textOf, textsOf } from "./json-fields.ts";

const immutable = ["name", "namespace", "uid", "creationTimestamp", "deletionTimestamp"] as const;

/** What the metadata of an object must keep, whatever its kind, and what must be right in it anew. */
export function metadataUpdateErrors(object: JsonObject, old: JsonObject): FieldError[] {
  const [now, before] = [metadataOf(object), metadataOf(old)];
  return [
    ...(before["deletionTimestamp"] === undefined ? [] : newFinalizerErrors(now, before)),
    ...(textOf(now["resourceVersion"]) === ""
      ? [invalid("metadata.resourceVersion", "", "must be specified for an update")]
      : []),
    ...generationErrors(now["generation"], before["generation"]),
    ...immutable.flatMap((name) => immutableErrors(name, now[name] ?? emptyOf(name), before[name] ?? emptyOf(name))),
    ...immutableErrors(
      "deletionGracePeriodSeconds",
      now["deletionGracePeriodSeconds"] ?? null,
      before["deletionGracePeriodSeconds"] ?? null,
    ),
    ...partErrors(now),
  ];
}

/** Every kind's names are parts of a path. */
export function commonMetadataErrors(object: JsonObject, namespaced: boolean): FieldError[] {
  return metadataErrors(metadataOf(object), "metadata", { namespaced, nameProblems: pathSegmentProblems });
}

export function pathSegmentProblems(name: string, isPrefix: boolean): string[] {
  if (!isPrefix && (name === "." || name === "..")) return [`may not be '${name}'`];
  return ["/", "%"].filter((text) => name.includes(text)).map((text) => `may not contain '${text}'`);
}

function newFinalizerErrors(now: JsonObject, before: JsonObject): FieldError[] {
  const known = new Set(textsOf(before["finalizers"]));
  const extra = [...new Set(textsOf(now["finalizers"]))].filter((finalizer) => !known.has(finalizer)).toSorted();
  if (extra.length === 0) return [];
  const list = `[]string{${extra.map((finalizer) => JSON.stringify(finalizer)).join(", ")}}`;
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`;
  return [forbidden("metadata.finalizers", detail)];
}

function generationErrors(now: JsonValue | undefined, before: JsonValue | undefined): FieldError[] {
  const isLess = Number(now ?? 0) < Number(before ?? 0);
  return isLess ? [invalid("metadata.generation", now ?? 0, "must not be decremented")] : [];
}

function emptyOf(name: (typeof immutable)[number]): JsonValue {
  return name.endsWith("Timestamp") ? null : "";
}

function immutableErrors(name: string, now: JsonValue, before: JsonValue): FieldError[] {
  return sameJson(now, before) ? [] : [invalid(`metadata.${name}`, now, "field is immutable")];
}

/** Labels, annotations, owners and managers; names and finalizers are looked at elsewhere. */
function partErrors(metadata: JsonObject): FieldError[] {
  const { finalizers: _, generateName: __, generation: ___, ...parts } = metadata;
  const rules = { namespaced: false, nameProblems: () => [] };
  return metadataErrors({ ...parts, name: "-", namespace: "" }, "metadata", rules);
}
