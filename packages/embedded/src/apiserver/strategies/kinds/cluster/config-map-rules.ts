import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, invalid, tooLong } from "@stowage/machinery/structural";
import { fieldsOf, textOf } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { sealedErrors } from "../immutability.ts";
import { binaryBytes, keyErrors, mostBytes } from "./data-keys.ts";

export const configMapRules: KindRules = {
  errors: configMapErrors,
  updateErrors: (object, old) => sealedErrors(object, old, ["data", "binaryData"]),
};

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
    ...(bytes > mostBytes ? [tooLong("[]", mostBytes)] : []),
  ];
}

function textBytes(data: JsonObject): number {
  return Object.values(data).reduce<number>((sum, value) => sum + Buffer.byteLength(textOf(value)), 0);
}
