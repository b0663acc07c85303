import { type CustomResourceDefinition, formatTime } from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import {
  defaultDefinitionSpec,
  definitionErrors,
  definitionUpdateErrors,
  newDefinition,
  storedVersions,
} from "@stowage/machinery/structural";
import { fieldsOf, listOf, metadataOf, specOf, textsOf, withFields, withMetadata } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";

/** Set when a definition is deleted: its objects go before it. */
const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

export const definitionRules: KindRules = {
  defaults: definitionDefaults,
  prepareForCreate: (object) => ({
    ...object,
    status: { ...fieldsOf(json(newDefinition(definition(object)).status)), conditions: null },
  }),
  prepareForUpdate: (object) => ({
    ...object,
    status: { ...fieldsOf(object["status"]), storedVersions: storedVersions(definition(object)) },
  }),
  errors: (object) => definitionErrors(definition(object), Array.isArray(specOf(object)["versions"])),
  updateErrors: (object, old) => definitionUpdateErrors(definition(object), definition(old)),
  beginDeletion(object, nowMs) {
    const finalizers = textsOf(metadataOf(object)["finalizers"]);
    const time = formatTime(nowMs);
    const status = fieldsOf(object["status"]);
    return {
      ...withMetadata(object, {
        deletionTimestamp: time,
        finalizers: finalizers.includes(cleanupFinalizer) ? finalizers : [...finalizers, cleanupFinalizer],
      }),
      status: { ...status, conditions: withTerminating(listOf(status["conditions"]), time) },
    };
  },
};

function definitionDefaults(object: JsonObject): JsonObject {
  const spec = specOf(object);
  const isReadable = typeof fieldsOf(spec["names"])["kind"] === "string" && Array.isArray(spec["versions"]);
  if (!isReadable) return object;
  const status = fieldsOf(object["status"]);
  const named = { ...object, spec: json(defaultDefinitionSpec(definition(object).spec)) };
  if (listOf(status["storedVersions"]).length > 0) return named;
  // It is never without a version that may be in the store.
  return { ...named, status: { ...status, storedVersions: storedVersions(definition({ ...object, status: {} })) } };
}

function withTerminating(conditions: readonly JsonValue[], time: string): JsonValue[] {
  const terminating = {
    lastTransitionTime: time,
    message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
    reason: "InstanceDeletionPending",
    status: "True",
    type: "Terminating",
  };
  return [...conditions.filter((condition) => fieldsOf(condition)["type"] !== "Terminating"), terminating];
}

/** It has been read by the table of types. */
function definition(object: JsonObject): CustomResourceDefinition {
  const spec = withFields(specOf(object), { versions: specOf(object)["versions"] ?? [] });
  return { ...object, spec } as unknown as CustomResourceDefinition;
}

function json(value: unknown): JsonValue {
  return value as JsonValue;
}
