import { isJsonObject, type JsonObject, type JsonValue } from "../../patches/json-value.ts";
import { isDateTime } from "../values/dates.ts";

/** How a field of ObjectMeta is read. */
type Shape = "string" | "integer" | "boolean" | "time" | "texts" | "textMap" | "any" | ListShape;

interface ListShape {
  readonly struct: string;
  readonly fields: Readonly<Record<string, Shape>>;
  /** Written even when they are empty. */
  readonly always: readonly string[];
}

const ownerReference: ListShape = {
  struct: "OwnerReference",
  fields: {
    apiVersion: "string",
    kind: "string",
    name: "string",
    uid: "string",
    controller: "boolean",
    blockOwnerDeletion: "boolean",
  },
  always: ["apiVersion", "kind", "name", "uid"],
};

const managedFieldsEntry: ListShape = {
  struct: "ManagedFieldsEntry",
  fields: {
    manager: "string",
    operation: "string",
    apiVersion: "string",
    time: "time",
    fieldsType: "string",
    fieldsV1: "any",
    subresource: "string",
  },
  always: [],
};

const objectMeta: ListShape = {
  struct: "ObjectMeta",
  fields: {
    name: "string",
    generateName: "string",
    namespace: "string",
    selfLink: "string",
    uid: "string",
    resourceVersion: "string",
    generation: "integer",
    creationTimestamp: "time",
    deletionTimestamp: "time",
    deletionGracePeriodSeconds: "integer",
    labels: "textMap",
    annotations: "textMap",
    ownerReferences: ownerReference,
    finalizers: "texts",
    managedFields: managedFieldsEntry,
  },
  always: [],
};

export interface DecodedMetadata {
  readonly metadata: JsonObject;
  /** Paths within the metadata of what ObjectMeta does not have. */
  readonly unknown: readonly string[];
}

/** Metadata as the API server holds it: unknown fields and empty ones are gone. A text is what Go says of a field of another type. */
export function decodeMetadata(metadata: JsonValue): DecodedMetadata | string {
  if (!isJsonObject(metadata)) {
    if (metadata === null) return { metadata: {}, unknown: [] };
    return `json: cannot unmarshal ${jsonKind(metadata)} into Go value of type v1.ObjectMeta`;
  }
  const unknown: string[] = [];
  const decoded = decodeStruct(metadata, objectMeta, { path: "", unknown });
  return typeof decoded === "string" ? decoded : { metadata: decoded, unknown };
}

interface Place {
  readonly path: string;
  readonly unknown: string[];
}

function decodeStruct(object: JsonObject, shape: ListShape, place: Place): JsonObject | string {
  const decoded: JsonObject = {};
  for (const [name, value] of Object.entries(object)) {
    const field = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
    if (field === undefined) {
      place.unknown.push(`${place.path}${name}`);
      continue;
    }
    const problem = problemOf(value, field, `${shape.struct}.${name}`);
    if (problem !== undefined) return problem;
    const kept = decodeField(value, field, { path: `${place.path}${name}`, unknown: place.unknown });
    if (typeof kept === "object" && kept !== null && "problem" in kept && kept.problem instanceof Error)
      return kept.problem.message;
    if (!isEmpty(kept)) decoded[name] = kept as JsonValue;
  }
  for (const name of shape.always) decoded[name] ??= "";
  return decoded;
}

function decodeField(value: JsonValue, shape: Shape, place: Place): JsonValue | { problem: Error } {
  if (shape === "textMap" && isJsonObject(value)) return mapValues(value);
  if (typeof shape === "string" || !Array.isArray(value)) return value;
  const items: JsonObject[] = [];
  for (const [index, item] of value.entries()) {
    const decoded = decodeStruct((item ?? {}) as JsonObject, shape, {
      path: `${place.path}[${index}].`,
      unknown: place.unknown,
    });
    if (typeof decoded === "string") return { problem: new Error(decoded) };
    items.push(decoded);
  }
  return items;
}

/** A text that is null is an empty one. */
function mapValues(map: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, value ?? ""]));
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === "" || value === 0) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function problemOf(value: JsonValue, shape: Shape, field: string): string | undefined {
  if (value === null || shape === "any") return undefined;
  if (shape === "time") return timeProblem(value);
  if (shape === "textMap") return partsProblem(value, isJsonObject(value), field, "map[string]string");
  if (shape === "texts") return partsProblem(value, Array.isArray(value), field, "[]string");
  if (typeof shape === "object") {
    const isList = Array.isArray(value) && value.every((item) => item === null || isJsonObject(item));
    return isList ? undefined : mismatch(value, field, `[]v1.${shape.struct}`);
  }
  const goType = { string: "string", integer: "int64", boolean: "bool" }[shape];
  const fits = shape === "integer" ? Number.isInteger(value) : typeof value === shape;
  return fits ? undefined : mismatch(value, field, goType);
}

function partsProblem(value: JsonValue, isOfKind: boolean, field: string, goType: string): string | undefined {
  if (!isOfKind) return mismatch(value, field, goType);
  const wrong = Object.values(value as object).find((part) => part !== null && typeof part !== "string");
  return wrong === undefined ? undefined : mismatch(wrong as JsonValue, field, "string");
}

function timeProblem(value: JsonValue): string | undefined {
  if (typeof value !== "string") return `json: cannot unmarshal ${jsonKind(value)} into Go value of type string`;
  if (isDateTime(value)) return undefined;
  return `parsing time ${JSON.stringify(value)} as "2006-01-02T15:04:05Z07:00": cannot parse ${JSON.stringify(value)} as "2006"`;
}

function mismatch(value: JsonValue, field: string, goType: string): string {
  const shown = typeof value === "number" && goType === "int64" ? `number ${value}` : jsonKind(value);
  return `json: cannot unmarshal ${shown} into Go struct field ${field} of type ${goType}`;
}

function jsonKind(value: JsonValue): string {
  if (typeof value === "boolean") return "bool";
  if (Array.isArray(value)) return "array";
  return value === null ? "null" : typeof value;
}
