import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, invalid, tooLong } from "@stowage/machinery/structural";
import { fieldsOf, textOf, withFields } from "../json-fields.ts";
import type { KindRules } from "../kind-rules.ts";
import { immutableField, sealedErrors } from "./immutability.ts";

const mostBytes = 1024 * 1024;
const keyExpression = /^[-._a-zA-Z0-9]+$/;
const keyMessage =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' " +
  "(e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

export const configMapRules: KindRules = {
  createErrors: configMapErrors,
  updateErrors: (object, old) => sealedErrors(object, old, ["data", "binaryData"]),
};

export const secretRules: KindRules = {
  createErrors: secretErrors,
  prepareForUpdate: (object, old) =>
    textOf(object["type"]) === "" ? withFields(object, { type: old["type"] }) : object,
  updateErrors: (object, old) => [
    ...immutableField("type", object["type"], old["type"]),
    ...sealedErrors(object, old, ["data"]),
  ],
};

/** What was written as plain text is kept with the rest, and the type is the plain one unless it is said. */
export function secretDefaults(object: JsonObject): JsonObject {
  const { stringData, ...secret } = object;
  const plain = Object.entries(fieldsOf(stringData)).map(([key, value]): [string, JsonValue] => [
    key,
    Buffer.from(textOf(value)).toString("base64"),
  ]);
  const data = { ...fieldsOf(secret["data"]), ...Object.fromEntries(plain) };
  const type = textOf(secret["type"]) === "" ? "Opaque" : secret["type"];
  return withFields(secret, { data: Object.keys(data).length === 0 ? undefined : data, type });
}

function configMapErrors(object: JsonObject): FieldError[] {
  const data = fieldsOf(object["data"]);
  const binary = fieldsOf(object["binaryData"]);
  const ofData = Object.keys(data).flatMap((key) => [
    ...keyErrors("data", key),
    ...(Object.hasOwn(binary, key) ? [invalid(`data[${key}]`, key, "duplicate of key present in binaryData")] : []),
  ]);
  const bytes = textBytes(data) + binaryBytes(binary);
  return [
    ...ofData,
    ...Object.keys(binary).flatMap((key) => keyErrors("binaryData", key)),
    ...(bytes > mostBytes ? [tooLong("", mostBytes)] : []),
  ];
}

function secretErrors(object: JsonObject): FieldError[] {
  const data = fieldsOf(object["data"]);
  const errors = Object.keys(data).flatMap((key) => keyErrors("data", key));
  return binaryBytes(data) > mostBytes ? [...errors, tooLong("data", mostBytes)] : errors;
}

function keyErrors(field: string, key: string): FieldError[] {
  const problems = [
    ...(Buffer.byteLength(key) > 253 ? ["must be no more than 253 characters"] : []),
    ...(keyExpression.test(key) ? [] : [keyMessage]),
    ...changesDirectory(key),
  ];
  return problems.map((problem) => invalid(`${field}[${key}]`, key, problem));
}

/** Keys become names of files. */
function changesDirectory(key: string): string[] {
  if (key === "." || key === "..") return [`must not be '${key}'`];
  return key.startsWith("..") ? ["must not start with '..'"] : [];
}

function textBytes(data: JsonObject): number {
  return Object.values(data).reduce<number>((sum, value) => sum + Buffer.byteLength(textOf(value)), 0);
}

function binaryBytes(data: JsonObject): number {
  return Object.values(data).reduce<number>((sum, value) => sum + Buffer.byteLength(textOf(value), "base64"), 0);
}
