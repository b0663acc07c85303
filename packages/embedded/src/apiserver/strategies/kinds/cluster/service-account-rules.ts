import type { JsonObject } from "@stowage/machinery/apply";
import { fieldsOf, listOf, metadataOf, withFields } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";

const mountAnnotation = "kubernetes.io/enforce-mountable-secrets";

/** Of the secrets that it names, only the names count. */
export const serviceAccountRules: KindRules = {
  prepareForCreate: withNamesOnly,
  prepareForUpdate: withNamesOnly,
  warnings(object, old) {
    if (!isAnnotated(object) || (old !== undefined && isAnnotated(old))) return [];
    const advice = "prefer separate namespaces to isolate access to mounted secrets";
    return [`metadata.annotations[${mountAnnotation}]: deprecated in v1.32+; ${advice}`];
  },
};

function isAnnotated(object: JsonObject): boolean {
  return fieldsOf(metadataOf(object)["annotations"])[mountAnnotation] !== undefined;
}

function withNamesOnly(object: JsonObject): JsonObject {
  if (object["secrets"] === undefined) return object;
  const secrets = listOf(object["secrets"]).map((secret) => withFields({}, { name: fieldsOf(secret)["name"] }));
  return { ...object, secrets };
}
