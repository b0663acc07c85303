import type { DescMessage, Message } from "@bufbuild/protobuf";
import { isReflectMessage, type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { isSecret, REDACTED } from "./redaction.ts";

/** Shorter ones are in every other word; masking them would only spell out where they occur. */
const MIN_SECRET_LENGTH = 4;

/** The values of a message's secret fields, the longest first. */
export function secretValues(schema: DescMessage, message: Message): string[] {
  return [...new Set(collect(reflect(schema, message), false))].toSorted((a, b) => b.length - a.length);
}

/** A text that somebody else wrote, such as a driver's error, without the given secrets. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .reduce((masked, secret) => masked.replaceAll(secret, REDACTED), text);
}

function collect(value: unknown, isInSecret: boolean): string[] {
  if (isReflectMessage(value)) return collectMessage(value, isInSecret);
  return isInSecret && typeof value === "string" ? [value] : [];
}

function collectMessage(message: ReflectMessage, isInSecret: boolean): string[] {
  return message.fields
    .filter((field) => message.isSet(field))
    .flatMap((field) => {
      const isHidden = isInSecret || isSecret(field);
      const value: unknown = message.get(field);
      if (field.fieldKind === "map") return [...message.get(field).values()].flatMap((item) => collect(item, isHidden));
      if (field.fieldKind === "list") return [...message.get(field)].flatMap((item) => collect(item, isHidden));
      return collect(value, isHidden);
    });
}
