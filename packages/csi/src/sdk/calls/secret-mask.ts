import type { DescMessage, Message } from "@bufbuild/protobuf";
import type { Logger } from "@stowage/machinery";
import { maskSecrets, secretValues } from "../../protocol/index.ts";

const maximumDepth = 8;

/** Takes the values of one request's secrets out of whatever a driver says about it. */
export interface SecretMask {
  text(text: string): string;
  logger(logger: Logger): Logger;
}

export function createSecretMask(schema: DescMessage, request: Message): SecretMask {
  const secrets = secretValues(schema, request)
    .flatMap(spellings)
    .toSorted((a, b) => b.length - a.length);
  const text = (value: string) => maskSecrets(value, secrets);
  return { text, logger: (logger) => (secrets.length === 0 ? logger : maskedLogger(logger, text)) };
}

/** A secret also in the forms in which it gets into command lines, URLs, headers and JSON. */
function spellings(secret: string): string[] {
  const base64 = Buffer.from(secret).toString("base64");
  return [
    secret,
    base64,
    base64.replace(/=+$/u, ""),
    encodeURIComponentLoosely(secret),
    JSON.stringify(secret).slice(1, -1),
  ];
}

/** Half of a surrogate pair has no encoding, and then no URL that holds it. */
function encodeURIComponentLoosely(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function maskedLogger(logger: Logger, text: (value: string) => string): Logger {
  const masked = (fields: object) => maskFields(fields, text, 0) as object;
  return {
    debug: (fields, message) => logger.debug(masked(fields), text(message)),
    info: (fields, message) => logger.info(masked(fields), text(message)),
    warn: (fields, message) => logger.warn(masked(fields), text(message)),
    error: (fields, message) => logger.error(masked(fields), text(message)),
  };
}

function maskFields(value: unknown, text: (value: string) => string, depth: number): unknown {
  if (typeof value === "string") return text(value);
  if (typeof value !== "object" || value === null) return value;
  // Deeper is not worth following, and may be a circle.
  if (depth >= maximumDepth) return "…";
  if (value instanceof Error) return maskError(value, text, depth);
  if (Array.isArray(value)) return value.map((item) => maskFields(item, text, depth + 1));
  // Buffers, maps and the like could hide a secret in any form.
  if (!isPlain(value)) return `[${value.constructor.name}]`;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [text(key), maskFields(item, text, depth + 1)]));
}

function maskError(error: Error, text: (value: string) => string, depth: number): object {
  const { name, message, stack, cause } = error;
  const described = { type: name, message: text(message), stack: text(stack ?? "") };
  return cause === undefined ? described : { ...described, cause: maskFields(cause, text, depth + 1) };
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
