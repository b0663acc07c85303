import type { JSONSchemaProps, ValidationRule } from "@stowage/machinery";

/** The few shapes that the schemas are made of, so that each reads as the list of its fields. */
type Schema = JSONSchemaProps;

interface ObjectOptions {
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

export function string(description: string, more: Schema = {}): Schema {
  return { type: "string", description, ...more };
}

export function boolean(description: string): Schema {
  return { type: "boolean", description };
}

export function int64(description: string, more: Schema = {}): Schema {
  return { type: "integer", format: "int64", description, ...more };
}

export function time(description: string): Schema {
  return { type: "string", format: "date-time", description };
}

export function list(description: string, items: Schema, more: Schema = {}): Schema {
  return { type: "array", description, items, ...more };
}

export function stringMap(description: string, more: Schema = {}): Schema {
  return { type: "object", description, additionalProperties: { type: "string" }, ...more };
}

/** As Kubernetes writes and reads amounts. */
export function quantity(description: string): Schema {
  const pattern = String.raw`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`;
  return { type: "string", description, pattern };
}

export function rule(expression: string, message: string): ValidationRule {
  return { rule: expression, message };
}

/** Of a field that is set once. */
export function immutable(message: string): Schema {
  return { "x-kubernetes-validations": [rule("self == oldSelf", message)] };
}

/** Of an object that has one of two fields, and keeps it. */
export function eitherFor(a: string, b: string): ValidationRule[] {
  return [
    rule(`!has(oldSelf.${a}) || has(self.${a})`, `${a} is required once set`),
    rule(`!has(oldSelf.${b}) || has(self.${b})`, `${b} is required once set`),
    rule(
      `(has(self.${a}) && !has(self.${b})) || (!has(self.${a}) && has(self.${b}))`,
      `exactly one of ${a} and ${b} must be set`,
    ),
  ];
}

export const deletionPolicy = (description: string, more: Schema = {}): Schema => ({
  type: "string",
  description,
  enum: ["Delete", "Retain"],
  ...more,
});

/** A reference to an object, whose fields are those of core's ObjectReference. */
export function objectReference(description: string, rules: readonly ValidationRule[]): Schema {
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

export function failure(description: string): Schema {
  return object(description, {
    message: string("What went wrong, without secrets."),
    time: time("When it went wrong."),
  });
}
