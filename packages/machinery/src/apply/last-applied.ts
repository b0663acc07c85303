import { isJsonObject, type JsonObject, type JsonValue, ownField } from "../patches/json-value.ts";
import { compareObjects } from "./comparison.ts";
import type { ApplyConflictError, Conflict } from "./conflicts.ts";
import type { FieldSet } from "./field-set.ts";
import { goJson } from "./go-text.ts";
import type { ManagedKind } from "./managed-kind.ts";
import { typeProblem } from "./validation.ts";
import { fieldsOfValue } from "./value-fields.ts";

/**
 * How an object that `kubectl apply` wrote from the client's side goes over to server-side apply. Only the manager `kubectl`
 * takes part; others leave the annotation alone.
 */
const lastAppliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration";

/** The API allows no more in all annotations of an object together. */
const maxAnnotationsBytes = 256 * 1024;

export const kubectlManager = "kubectl";

/** The conflicts that remain when those count as kubectl's own that the client applied last and that are still as it did. */
export function conflictsBeyondLastApplied(kind: ManagedKind, live: JsonObject, error: ApplyConflictError): Conflict[] {
  const allowed = lastAppliedFields(kind, live);
  return allowed === undefined ? [...error.conflicts] : error.conflicts.filter(({ path }) => !allowed.has(path));
}

function lastAppliedFields(kind: ManagedKind, live: JsonObject): FieldSet | undefined {
  const type = kind.schemaOf(kind.apiVersion);
  const applied = parsed(annotationOf(live));
  if (type === undefined || !isJsonObject(applied) || applied["apiVersion"] !== kind.apiVersion) return undefined;
  const strict = { allowDuplicates: false };
  if (typeProblem(type, live, strict) !== undefined || typeProblem(type, applied, strict) !== undefined)
    return undefined;
  const { modified, added, removed } = compareObjects(type, applied, live);
  return fieldsOfValue(type, applied).difference(modified).difference(added).difference(removed);
}

function parsed(text: string | undefined): JsonValue | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as JsonValue);
  } catch {
    // Whoever wrote the annotation, it is not what kubectl writes: then nothing is taken over.
    return undefined;
  }
}

/** Keeps the annotation up to date where it is, so that the client-side way still works. */
export function withLastApplied(object: JsonObject, applied: JsonObject): JsonObject {
  const metadata = object["metadata"];
  if (annotationOf(object) === undefined || !isJsonObject(metadata)) return object;
  const others = withoutAnnotation(metadata["annotations"] as JsonObject);
  const all = { ...others, [lastAppliedAnnotation]: lastAppliedText(applied) };
  const annotations = annotationBytes(all) > maxAnnotationsBytes ? others : all;
  return { ...object, metadata: { ...metadata, annotations } };
}

function lastAppliedText(applied: JsonObject): string {
  const metadata = applied["metadata"];
  if (!isJsonObject(metadata)) return `${goJson(applied)}\n`;
  const { annotations, ...rest } = metadata;
  const kept = isJsonObject(annotations) && { annotations: withoutAnnotation(annotations) };
  return `${goJson({ ...applied, metadata: { ...rest, ...kept } })}\n`;
}

function withoutAnnotation(annotations: JsonObject): JsonObject {
  const { [lastAppliedAnnotation]: _, ...others } = annotations;
  return others;
}

function annotationOf(object: JsonObject): string | undefined {
  const metadata = object["metadata"];
  const annotations = isJsonObject(metadata) ? metadata["annotations"] : undefined;
  const text = isJsonObject(annotations) ? ownField(annotations, lastAppliedAnnotation) : undefined;
  return typeof text === "string" && text !== "" ? text : undefined;
}

function annotationBytes(annotations: JsonObject): number {
  return Object.entries(annotations).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value as string),
    0,
  );
}
