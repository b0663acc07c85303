import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { decodeMetadata } from "@stowage/machinery/structural";
import { typeName } from "../protobuf/index.ts";
import { type DecoderOptions, GoDecoder } from "./go-decoder.ts";
import { fieldsOf, metadataOf, withMetadata } from "./json-fields.ts";
import type { ReadObject } from "./strategy.ts";

export interface KindType {
  readonly apiVersion: string;
  readonly kind: string;
}

/** An object of a built-in kind as it comes out of the types of the original. */
export function builtInForm({ apiVersion, kind }: KindType, sent: JsonObject, options: DecoderOptions): ReadObject {
  const decoder = new GoDecoder(options);
  const object = { ...sent, apiVersion, kind };
  const read = decoder.struct(typeName(apiVersion, kind), object);
  const { managedFields } = metadataOf(object);
  // No managers at all mean that they are to be forgotten.
  const forgets = Array.isArray(managedFields) && managedFields.length === 0;
  const { unknownFields, problem } = decoder;
  return { object: forgets ? withMetadata(read, { managedFields: [] }) : read, unknownFields, problem };
}

interface Reading {
  readonly unknownFields: string[];
  problem: string | undefined;
}

/** Two things that are empty mean something: no managers, that they are to be forgotten; no time left, that there was some. */
export function readMetadata(metadata: JsonValue, reading: Reading): JsonObject {
  const decoded = decodeMetadata(metadata);
  if (typeof decoded === "string") {
    reading.problem ??= decoded;
    return fieldsOf(metadata);
  }
  reading.unknownFields.push(...decoded.unknown.map((path) => `metadata.${path}`));
  const { managedFields, deletionGracePeriodSeconds } = fieldsOf(metadata);
  const forgets = Array.isArray(managedFields) && managedFields.length === 0;
  return {
    ...decoded.metadata,
    ...(deletionGracePeriodSeconds === 0 && { deletionGracePeriodSeconds }),
    ...(forgets && { managedFields: [] }),
  };
}
