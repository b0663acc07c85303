import {
  createRegistry,
  type DescEnum,
  type DescField,
  type DescMessage,
  getOption,
  hasOption,
  type Message,
} from "@bufbuild/protobuf";
import { isReflectMessage, type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { csi_secret, file_csi } from "../generated/csi_pb.js";
import { file_pluginregistration } from "../generated/pluginregistration_pb.js";

/** Stands for a secret, in the words of the original sidecars, which log searches may know. */
export const REDACTED = "***stripped***";

const MAX_STRING_LENGTH = 256;
const MAX_LIST_LENGTH = 32;

/** What `JSON.stringify` takes as it is. */
export type Loggable = string | number | boolean | readonly Loggable[] | { readonly [key: string]: Loggable };

const registry = createRegistry(file_csi, file_pluginregistration);

/** A copy of any message of the protocol for logs, without its secrets; see `redact`. */
export function stripSecrets(message: Message): Loggable {
  const schema = registry.getMessage(message.$typeName);
  // What is not known cannot be told apart from a secret.
  return schema === undefined ? REDACTED : redact(schema, message);
}

/**
 * A copy of a message for logs: fields by their names in the protocol, those that hold secrets replaced, enums by name, int64 as
 * text, what is long cut short. Fields that this version does not know are left out, since they may be secret.
 */
export function redact(schema: DescMessage, message: Message): Loggable {
  return redactMessage(reflect(schema, message));
}

export function isSecret(field: DescField): boolean {
  return hasOption(field, csi_secret) && getOption(field, csi_secret);
}

function redactMessage(message: ReflectMessage): Loggable {
  const present = message.fields.filter((field) => message.isSet(field));
  return Object.fromEntries(
    present.map((field) => [field.name, isSecret(field) ? REDACTED : redactField(field, message)]),
  );
}

function redactField(field: DescField, message: ReflectMessage): Loggable {
  switch (field.fieldKind) {
    case "list":
      return redactList([...message.get(field)], field.enum);
    case "map":
      return Object.fromEntries([...message.get(field)].map(([key, value]) => [key, redactValue(value, field.enum)]));
    case "message":
    case "scalar":
      return redactValue(message.get(field));
    case "enum":
      return redactValue(message.get(field), field.enum);
  }
}

function redactList(values: readonly unknown[], enumeration: DescEnum | undefined): Loggable {
  const shown = values.slice(0, MAX_LIST_LENGTH).map((value) => redactValue(value, enumeration));
  return values.length > MAX_LIST_LENGTH ? [...shown, `(${values.length - MAX_LIST_LENGTH} more)`] : shown;
}

function redactValue(value: unknown, enumeration?: DescEnum): Loggable {
  if (isReflectMessage(value)) return redactMessage(value);
  if (value instanceof Uint8Array) return `(${value.length} bytes)`;
  if (typeof value === "number" && enumeration !== undefined) return enumeration.value[value]?.name ?? value;
  // JSON has no word for infinity, and not for what is no number.
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  return typeof value === "boolean" ? value : truncate(String(value));
}

function truncate(text: string): string {
  if (text.length <= MAX_STRING_LENGTH) return text;
  // Half of a surrogate pair is not a character.
  const shown = text.slice(0, MAX_STRING_LENGTH).replace(/[\uD800-\uDBFF]$/u, "");
  return `${shown}… (${text.length - shown.length} more)`;
}
