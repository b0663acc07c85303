import type { JSONSchemaProps, ValidationRule } from "../api/index.ts";

/** The few shapes that schemas are made of, so that each reads as the list of its fields. */
export type Schema = JSONSchemaProps;

export interface ObjectOptions {
  readonly required?: readonly string[];
  readonly rules?: readonly ValidationRule[];
}

export function object(
  description: string,
  properties: Readonly<Record<string, Schema>>,
  options: ObjectOptions = {},
): Schema {
  const { required = [], rules = [] } = options;
  return {
    type: "object",
    description,
    properties: { ...properties },
    ...(required.length > 0 && { required: [...required] }),
    ...(rules.length > 0 && { "x-kubernetes-validations": [...rules] }),
  };
}

/** An object without fields: what is put in is dropped. */
export function emptyObject(description: string): Schema {
  return { type: "object", description };
}

/** An object with whatever fields: what is put in is kept. */
export function free(description: string): Schema {
  return { type: "object", description, "x-kubernetes-preserve-unknown-fields": true };
}

/** Null is kept as it is, where it would otherwise be dropped. */
export function nullable(schema: Schema): Schema {
  return { ...schema, nullable: true };
}

export function string(description: string, more: Schema = {}): Schema {
  return { type: "string", description, ...more };
}

/** One of these strings. */
export function oneOf(description: string, values: readonly string[], more: Schema = {}): Schema {
  return { type: "string", description, enum: [...values], ...more };
}

export function boolean(description: string): Schema {
  return { type: "boolean", description };
}

export function int32(description: string, more: Schema = {}): Schema {
  return { type: "integer", format: "int32", description, ...more };
}

export function int64(description: string, more: Schema = {}): Schema {
  return { type: "integer", format: "int64", description, ...more };
}

export function time(description: string): Schema {
  return { type: "string", format: "date-time", description };
}

/** As Kubernetes writes and reads amounts. */
export function quantity(description: string): Schema {
  const pattern = String.raw`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`;
  return string(description, { pattern });
}

export function stringMap(description: string, more: Schema = {}): Schema {
  return { type: "object", description, additionalProperties: { type: "string" }, ...more };
}

/** A list whose kind is not said: whoever writes it writes all of it. */
export function list(description: string, items: Schema, more: Schema = {}): Schema {
  return { type: "array", description, items, ...more };
}

/** Whoever applies it has all of it. */
export function atomicList(description: string, items: Schema, more: Schema = {}): Schema {
  return list(description, items, { "x-kubernetes-list-type": "atomic", ...more });
}

/** No item twice, and each belongs to whoever applied it. */
export function setList(description: string, items: Schema, more: Schema = {}): Schema {
  return list(description, items, { "x-kubernetes-list-type": "set", ...more });
}

/** One item for each value of the keys, and each belongs to whoever applied it. The keys must be required of the items. */
export function mapList(description: string, keys: readonly string[], items: Schema): Schema {
  return list(description, items, { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": [...keys] });
}

export function rule(expression: string, message: string): ValidationRule {
  return { rule: expression, message };
}

/** Of a field that is set once. */
export function immutable(message: string): Schema {
  return { "x-kubernetes-validations": [rule("self == oldSelf", message)] };
}

/** A reference to an object, whose fields are those of core's ObjectReference. */
export function objectReference(description: string, rules: readonly ValidationRule[] = []): Schema {
  const fields = {
    apiVersion: string("The API version of the object."),
    fieldPath: string("A part of the object."),
    kind: string("The kind of the object."),
    name: string("The name of the object."),
    namespace: string("The namespace of the object."),
    resourceVersion: string("The version of the object that is meant."),
    uid: string("The UID of the object: another object of the same name is not the one that is meant."),
  };
  return { ...object(description, fields, { rules }), "x-kubernetes-map-type": "atomic" };
}

/** A condition of Kubernetes, with the limits that its API sets. */
export function condition(description: string): Schema {
  const fields = {
    lastTransitionTime: time("When the status last changed."),
    message: string("What there is to say, for people.", { maxLength: 32_768 }),
    observedGeneration: int64("The generation of the object that it is about.", { minimum: 0 }),
    reason: string("Why, in one word, for programs.", {
      minLength: 1,
      maxLength: 1024,
      pattern: "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$",
    }),
    status: oneOf("Whether it holds.", ["True", "False", "Unknown"]),
    type: string("What it is that holds or not.", { maxLength: 316, pattern: conditionTypePattern }),
  };
  return object(description, fields, { required: ["lastTransitionTime", "message", "reason", "status", "type"] });
}

/** A qualified name, with a domain before it or without. */
export const conditionTypePattern =
  "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$";
