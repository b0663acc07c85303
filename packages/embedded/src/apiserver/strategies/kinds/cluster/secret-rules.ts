import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, tooLong } from "@stowage/machinery/structural";
import { fieldsOf, textOf, withFields } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { immutableField, sealedErrors } from "../immutability.ts";
import { binaryBytes, keyErrors, mostBytes } from "./data-keys.ts";
import { keyPairProblem } from "./key-pairs.ts";
import { secretTypeErrors } from "./secret-types.ts";

export const secretRules: KindRules = {
  defaults: secretDefaults,
  errors: secretErrors,
  updateErrors: (object, old) => [
    ...immutableField("type", object["type"], old["type"]),
    ...sealedErrors(object, old, ["data"]),
  ],
  warnings(object) {
    if (object["type"] !== "kubernetes.io/tls") return [];
    const { "tls.crt": certificate, "tls.key": key } = fieldsOf(object["data"]);
    const problem = keyPairProblem(decoded(certificate), decoded(key));
    return problem === undefined ? [] : [problem];
  },
};

function decoded(value: JsonValue | undefined): string {
  return Buffer.from(textOf(value), "base64").toString();
}

/** What was written as plain text is kept with the rest, and the type is the plain one unless it is said. */
function secretDefaults(object: JsonObject): JsonObject {
  const { stringData, ...secret } = object;
  const plain = Object.entries(fieldsOf(stringData)).map(([key, value]): [string, JsonValue] => [
    key,
    Buffer.from(textOf(value)).toString("base64"),
  ]);
  const data = { ...fieldsOf(secret["data"]), ...Object.fromEntries(plain) };
  const type = textOf(secret["type"]) === "" ? "Opaque" : secret["type"];
  return withFields(secret, { data: Object.keys(data).length === 0 ? undefined : data, type });
}

function secretErrors(object: JsonObject): FieldError[] {
  const data = fieldsOf(object["data"]);
  return [
    ...Object.keys(data).flatMap((key) => keyErrors("data", key)),
    ...(binaryBytes(data) > mostBytes ? [tooLong("data", mostBytes)] : []),
    ...secretTypeErrors(object),
  ];
}
