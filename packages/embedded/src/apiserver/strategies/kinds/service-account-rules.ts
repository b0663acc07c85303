import type { JsonObject } from "@stowage/machinery/apply";
import { fieldsOf, listOf, withFields } from "../json-fields.ts";
import type { KindRules } from "../kind-rules.ts";

/** Of the secrets that it names, only the names count. */
export const serviceAccountRules: KindRules = { prepareForCreate: withNamesOnly, prepareForUpdate: withNamesOnly };

function withNamesOnly(object: JsonObject): JsonObject {
  if (object["secrets"] === undefined) return object;
  const secrets = listOf(object["secrets"]).map((secret) => withFields({}, { name: fieldsOf(secret)["name"] }));
  return { ...object, secrets };
}
