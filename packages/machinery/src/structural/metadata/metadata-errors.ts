import { dns1123LabelErrors, labelValueErrors, qualifiedNameErrors } from "../../names/index.ts";
import { byteLength } from "../../names/messages.ts";
import type { JsonObject, JsonValue } from "../../patches/json-value.ts";
import { type FieldError, forbidden, invalid, required, tooLong } from "../errors/field-error.ts";
import { child } from "../errors/field-path.ts";

const mostAnnotationBytes = 256 * 1024;

export interface MetadataRules {
  readonly namespaced: boolean;
  /** What is wrong with a name; that of `generateName` may end in a hyphen. */
  nameProblems(name: string, isPrefix: boolean): readonly string[];
}

/** What is wrong with metadata that has been decoded. */
export function metadataErrors(metadata: JsonObject, path: string, rules: MetadataRules): FieldError[] {
  return [
    ...nameErrors(metadata, path, rules),
    ...namespaceErrors(metadata, path, rules.namespaced),
    ...generationErrors(metadata, path),
    ...labelErrors(fields(metadata["labels"]), child(path, "labels")),
    ...annotationErrors(fields(metadata["annotations"]), child(path, "annotations")),
    ...ownerErrors(list(metadata["ownerReferences"]), child(path, "ownerReferences")),
    ...finalizerErrors(list(metadata["finalizers"]), child(path, "finalizers")),
    ...managerErrors(list(metadata["managedFields"]), child(path, "managedFields")),
  ];
}

function nameErrors(metadata: JsonObject, path: string, rules: MetadataRules): FieldError[] {
  const name = text(metadata["name"]);
  const prefix = text(metadata["generateName"]);
  const ofPrefix = prefix === "" ? [] : rules.nameProblems(prefix, true);
  const errors = ofPrefix.map((problem) => invalid(child(path, "generateName"), prefix, problem));
  if (name === "") return [...errors, required(child(path, "name"), "name or generateName is required")];
  return [...errors, ...rules.nameProblems(name, false).map((problem) => invalid(child(path, "name"), name, problem))];
}

function namespaceErrors(metadata: JsonObject, path: string, namespaced: boolean): FieldError[] {
  const at = child(path, "namespace");
  const namespace = text(metadata["namespace"]);
  if (!namespaced) return namespace === "" ? [] : [forbidden(at, "not allowed on this type")];
  if (namespace === "") return [required(at)];
  return dns1123LabelErrors(namespace).map((problem) => invalid(at, namespace, problem));
}

function generationErrors(metadata: JsonObject, path: string): FieldError[] {
  const generation = metadata["generation"] ?? 0;
  const isNegative = typeof generation === "number" && generation < 0;
  return isNegative ? [invalid(child(path, "generation"), generation, "must be greater than or equal to 0")] : [];
}

function labelErrors(labels: JsonObject, path: string): FieldError[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...qualifiedNameErrors(key).map((problem) => invalid(path, key, problem)),
    ...labelValueErrors(text(value)).map((problem) => invalid(path, value, problem)),
  ]);
}

function annotationErrors(annotations: JsonObject, path: string): FieldError[] {
  const errors = Object.keys(annotations).flatMap((key) =>
    qualifiedNameErrors(key.toLowerCase()).map((problem) => invalid(path, key, problem)),
  );
  const bytes = Object.entries(annotations).reduce((sum, [key, value]) => sum + byteLength(key + text(value)), 0);
  return bytes > mostAnnotationBytes ? [...errors, tooLong(path, mostAnnotationBytes)] : errors;
}

function ownerErrors(owners: readonly JsonValue[], path: string): FieldError[] {
  const controllers = owners.map(fields).filter(({ controller }) => controller === true);
  const [first, ...others] = controllers.map(({ kind, name }) => `${text(kind)}/${text(name)}`);
  const several = others.map((other) => {
    const found = `Found "true" in references for ${first} and ${other}`;
    return invalid(path, owners.map(asStruct), `Only one reference can have Controller set to true. ${found}`);
  });
  return [...ownReferenceErrors(owners, path), ...several];
}

function ownReferenceErrors(owners: readonly JsonValue[], path: string): FieldError[] {
  return owners.flatMap((owner) => {
    const reference = fields(owner);
    const empty = ["kind", "name", "uid"].filter((name) => text(reference[name]) === "");
    const apiVersion = text(reference["apiVersion"]);
    const hasVersion = apiVersion !== "" && !apiVersion.endsWith("/") && apiVersion.split("/").length <= 2;
    const isEvent = apiVersion === "v1" && reference["kind"] === "Event";
    return [
      ...(hasVersion ? [] : [invalid(child(path, "apiVersion"), apiVersion, "version must not be empty")]),
      ...empty.map((name) => invalid(child(path, name), "", "must not be empty")),
      ...(isEvent ? [invalid(path, asStruct(owner), "/v1, Kind=Event is disallowed from being an owner")] : []),
    ];
  });
}

/** In the order in which the original declares its fields. */
function asStruct(owner: JsonValue): ReadonlyMap<string, JsonValue> {
  const reference = fields(owner);
  const names = ["apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion"];
  return new Map(
    names.flatMap((name) => {
      const value = reference[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

function finalizerErrors(finalizers: readonly JsonValue[], path: string): FieldError[] {
  const errors = finalizers.flatMap((finalizer) =>
    qualifiedNameErrors(text(finalizer)).map((problem) => invalid(path, finalizer, problem)),
  );
  const hasBoth = finalizers.includes("orphan") && finalizers.includes("foregroundDeletion");
  const detail = "finalizer orphan and foregroundDeletion cannot be both set";
  return hasBoth ? [...errors, invalid(path, finalizers, detail)] : errors;
}

function managerErrors(managers: readonly JsonValue[], path: string): FieldError[] {
  return managers.flatMap((entry, index) => {
    const { operation, fieldsType } = fields(entry);
    const at = `${path}[${index}]`;
    const isOperation = operation === "Apply" || operation === "Update";
    return [
      ...(isOperation ? [] : [invalid(child(at, "operation"), operation ?? "", "must be `Apply` or `Update`")]),
      ...(text(fieldsType) === "" || fieldsType === "FieldsV1"
        ? []
        : [invalid(child(at, "fieldsType"), fieldsType, "must be `FieldsV1`")]),
    ];
  });
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function fields(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
