import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, invalid } from "@stowage/machinery/structural";
import { fieldsOf, isFields, listOf, sameJson, withFields } from "../../../json-fields.ts";
import { itemsOf, when } from "../checks/field-checks.ts";
import { shownPart } from "../pod-forms.ts";

/** A Pod that nobody may place yet can still be told more narrowly where to go. */

export function gatedErrors(now: JsonObject, before: JsonObject): FieldError[] {
  const [selector, known] = [fieldsOf(now["nodeSelector"]), fieldsOf(before["nodeSelector"])];
  const isKept = Object.entries(known).every(([key, value]) => selector[key] === value);
  const detail = "only additions to spec.nodeSelector are allowed (no mutations or deletions)";
  return [
    ...when(!isKept, invalid("spec.nodeSelector", selector, detail)),
    ...nodeAffinityErrors(nodeAffinityOf(now), nodeAffinityOf(before)),
  ];
}

function nodeAffinityOf(spec: JsonObject): JsonValue | undefined {
  return fieldsOf(spec["affinity"])["nodeAffinity"];
}

const hard = "requiredDuringSchedulingIgnoredDuringExecution";

function nodeAffinityErrors(now: JsonValue | undefined, before: JsonValue | undefined): FieldError[] {
  const path = `spec.affinity.nodeAffinity.${hard}.nodeSelectorTerms`;
  const termsOf = (affinity: JsonValue | undefined) => itemsOf(fieldsOf(fieldsOf(affinity)[hard])["nodeSelectorTerms"]);
  const [terms, known] = [termsOf(now), termsOf(before)];
  if (sameJson(now, before) || known.length === 0) return [];
  const shown = terms.map((term) => shownPart("NodeSelectorTerm", term));
  if (terms.length !== known.length) {
    const detail = "no additions/deletions to non-empty NodeSelectorTerms list are allowed";
    return [invalid(path, terms.length === 0 ? null : shown, detail)];
  }
  return known.flatMap((term, index) => {
    const detail = "only additions are allowed (no mutations or deletions)";
    return when(!isExtended(terms[index] ?? {}, term), invalid(`${path}[${index}]`, shown[index], detail));
  });
}

const parts = ["matchExpressions", "matchFields"] as const;

function isExtended(now: JsonObject, before: JsonObject): boolean {
  const isEmpty = (term: JsonObject) => parts.every((name) => listOf(term[name]).length === 0);
  if (isEmpty(before)) return isEmpty(now);
  return parts.every((name) => {
    const known = listOf(before[name]);
    return sameJson([...listOf(now[name])].slice(0, known.length), [...known]);
  });
}

/** The spec with where it may go as it was. */
export function withGatedPlacement(now: JsonObject, before: JsonObject): JsonObject {
  const own = withFields(now, { nodeSelector: before["nodeSelector"] });
  const [nodeAffinity, known] = [nodeAffinityOf(now), nodeAffinityOf(before)];
  if (sameJson(nodeAffinity, known)) return own;
  const affinity = withFields(fieldsOf(now["affinity"]), { nodeAffinity: known });
  const isGone = !isFields(before["affinity"]) && Object.keys(affinity).length === 0;
  return withFields(own, { affinity: isGone ? undefined : affinity });
}
