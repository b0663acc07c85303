import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from "@stowage/machinery";
import { customKind, type JsonObject, type OpenApiSchema } from "@stowage/machinery/apply";
import { CustomResource, fieldErrorText } from "@stowage/machinery/structural";
import { readMetadata } from "./built-in-form.ts";
import { metadataOf, sameJson, textsOf, withFields, withMetadata } from "./json-fields.ts";
import { metadataUpdateErrors } from "./metadata-update.ts";
import type { Reading, ReadObject, Strategy } from "./strategy.ts";

/** Of the objects of a CRD in one of its versions. Make it once for each: the schema is read and kept in it. */
export function customStrategy(
  definition: CustomResourceDefinition,
  version: CustomResourceDefinitionVersion,
  subresource: "" | "status",
): Strategy {
  const { group, names, versions, preserveUnknownFields } = definition.spec;
  const resource = new CustomResource(definition, version);
  const described = versions.map(({ name, schema, subresources }) => ({
    name,
    schema: schema?.openAPIV3Schema as OpenApiSchema | undefined,
    hasStatus: subresources?.status !== undefined,
  }));
  const kinds = { group, kind: names.kind, versions: described, preserveUnknownFields: preserveUnknownFields === true };
  const stored = versions.find(({ storage }) => storage) ?? version;
  const isStatus = subresource === "status";
  return {
    group,
    version: version.name,
    kind: names.kind,
    namespaced: resource.namespaced,
    isCustom: true,
    keepsEmptyLists: true,
    managed: customKind(kinds, version.name, subresource),
    storedApiVersion: `${group}/${stored.name}`,
    allowsCreateOnUpdate: false,
    allowsUnconditionalUpdate: false,
    returnsDeletedObject: false,
    garbageCollection: "delete",
    read: (object, reading) => readCustom(resource, object, reading),
    prepareForCreate: (object) =>
      withMetadata(resource.hasStatus ? withFields(object, { status: undefined }) : object, { generation: 1 }),
    prepareForUpdate: (object, old) =>
      isStatus ? withStatusOf(object, old) : preparedForUpdate(resource, object, old),
    validateCreate: (object) => resource.validateCreate(object),
    validateUpdate: (object, old) => [
      ...metadataUpdateErrors(object, old),
      ...(isStatus ? resource.validateStatusUpdate(object, old) : resource.validateUpdate(object, old)),
    ],
    warnings: (object, old) => (isStatus ? [] : finalizerWarnings(object, old)),
    mayBeRemoved: () => true,
  };
}

function readCustom(resource: CustomResource, sent: JsonObject, { isApplied = false }: Reading = {}): ReadObject {
  const { metadata: _, ...rest } = sent;
  const reading: { unknownFields: string[]; problem: string | undefined } = { unknownFields: [], problem: undefined };
  const metadata = readMetadata(sent["metadata"] ?? {}, reading);
  if (reading.problem !== undefined) return { object: sent, unknownFields: [], problem: reading.problem };
  const object: JsonObject = { ...structuredClone(rest), metadata };
  // What is of another kind is not read by this one's schema, and refused when it is validated.
  if (object["kind"] !== resource.kind) return { object, unknownFields: [], problem: undefined };
  const read = resource.read(object, isApplied);
  const unknownFields = [...reading.unknownFields, ...read.unknownFields];
  return { object, unknownFields, problem: read.problem && fieldErrorText(read.problem) };
}

function preparedForUpdate({ hasStatus }: CustomResource, object: JsonObject, old: JsonObject): JsonObject {
  const own = hasStatus ? withFields(object, { status: old["status"] }) : object;
  if (sameJson(withFields(own, { metadata: undefined }), withFields(old, { metadata: undefined }))) return own;
  return withMetadata(own, { generation: Number(metadataOf(old)["generation"] ?? 0) + 1 });
}

/** Only the status is new, and who wrote it. */
function withStatusOf(object: JsonObject, old: JsonObject): JsonObject {
  const { managedFields, resourceVersion } = metadataOf(object);
  return withMetadata(withFields(old, { status: object["status"] }), { managedFields, resourceVersion });
}

const standardFinalizers: ReadonlySet<string> = new Set(["orphan", "foregroundDeletion"]);

function finalizerWarnings(object: JsonObject, old: JsonObject | undefined): string[] {
  const known = new Set(old && textsOf(metadataOf(old)["finalizers"]));
  return [...new Set(textsOf(metadataOf(object)["finalizers"]))]
    .filter((name) => !known.has(name) && !name.includes("/") && !standardFinalizers.has(name))
    .toSorted()
    .map((name) => `metadata.finalizers: ${JSON.stringify(name)}: ${preferred(name)}`);
}

function preferred(name: string): string {
  const path = name.includes(".") ? " including a path (/)" : "";
  return `prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`;
}
