import {
  clearField,
  create,
  type DescMessage,
  fromJson,
  type JsonValue,
  type MessageInitShape,
  type MessageShape,
  toJson,
} from "@bufbuild/protobuf";
import { isSecret } from "./redaction.ts";

/** A message to be kept, as the JSON of the protocol: `int64` as text, nothing left out but what is secret. */
export function toStoredMessage<Desc extends DescMessage>(schema: Desc, init: MessageInitShape<Desc>): JsonValue {
  const copy = create(schema, { ...init });
  // Requests hold their secrets in fields of their own, never deeper.
  for (const field of schema.fields) if (isSecret(field)) clearField(copy, field);
  return toJson(schema, copy);
}

/** Throws what the library throws when the JSON is not that of such a message. */
export function fromStoredMessage<Desc extends DescMessage>(schema: Desc, json: JsonValue): MessageShape<Desc> {
  return fromJson(schema, json);
}
