import { dns1123SubdomainErrors, type ManagedFieldsEntry } from "@stowage/machinery";
import { type JsonObject, scaledManagedFields, scaleManagedFields } from "@stowage/machinery/apply";
import { type FieldError, invalid, metadataErrors } from "@stowage/machinery/structural";
import { badRequest } from "../../answers/index.ts";
import {
  fieldsOf,
  listOf,
  metadataOf,
  numberOf,
  specOf,
  textOf,
  withFields,
  withMetadata,
} from "../../strategies/index.ts";
import { countAt, type ScaleForm, withCountAt } from "./scale-form.ts";

/** Stands for replicas that are not set, where a custom resource has none. The smallest that there is, as on the original. */
const unset = -(2 ** 31);

/** What is shown of an object as its scale. Counts of zero are left out where the API leaves them out. */
export function scaleOf(object: JsonObject, form: ScaleForm): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadataOf(object);
  const replicas = countAt(object, form.replicas) ?? 0;
  const selector = form.selectorOf(object);
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: withFields({}, { name, namespace, uid, resourceVersion, creationTimestamp }),
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: countAt(object, form.currentReplicas) ?? 0, ...(selector !== "" && { selector }) },
  };
}

/** The scale as it is before it is written: with who owns the replicas. */
export function liveScale(object: JsonObject, form: ScaleForm): JsonObject {
  const managedFields = scaleManagedFields(managersOf(object), form.paths) as unknown as JsonObject[];
  const scale = withMetadata(scaleOf(object, form), managedFields.length === 0 ? {} : { managedFields });
  return countAt(object, form.replicas) === undefined && form.isCustom
    ? { ...scale, spec: { replicas: unset } }
    : scale;
}

/** The object with what its scale says now. Throws when a custom resource is left without any replicas. */
export function scaledObject(object: JsonObject, scale: JsonObject, form: ScaleForm): JsonObject {
  const replicas = numberOf(specOf(scale)["replicas"]) ?? 0;
  if (replicas === unset) throw badRequest(`the spec replicas field ".${form.replicas.join(".")}" cannot be empty`);
  const version = textOf(metadataOf(scale)["resourceVersion"]);
  const apiVersion = textOf(object["apiVersion"]);
  const managedFields = scaledManagedFields({
    apiVersion,
    parent: managersOf(object),
    scale: managersOf(scale),
    paths: form.paths,
  }) as unknown as JsonObject[];
  // A custom resource that is scaled without a version is compared with the one that it has.
  const resourceVersion = version === "" && form.isCustom ? metadataOf(object)["resourceVersion"] : version;
  return withMetadata(withCountAt(object, form.replicas, replicas), { resourceVersion, managedFields });
}

function managersOf(object: JsonObject): ManagedFieldsEntry[] {
  return listOf(metadataOf(object)["managedFields"]).map(fieldsOf);
}

/** Of built-in kinds; those of CRDs are checked as a whole afterwards. */
export function scaleErrors(scale: JsonObject): FieldError[] {
  const replicas = numberOf(specOf(scale)["replicas"]) ?? 0;
  const rules = { namespaced: true, nameProblems: (name: string) => dns1123SubdomainErrors(name) };
  const detail = "must be greater than or equal to 0";
  return [
    ...metadataErrors(metadataOf(scale), "metadata", rules),
    ...(replicas < 0 ? [invalid("spec.replicas", replicas, detail)] : []),
  ];
}
