/**
 * Server-side apply: who owns which fields of an object, and what becomes of them when somebody applies or updates it. All of it
 * is pure: objects in, objects out, times from the caller. In reading order:
 *
 * - `typed-schema.ts`: what is known of a type: which lists and maps are one value, which are owned item by item, and by which keys.
 *   `builtInKind` has it for the built-in kinds, from a generated table; `customKind` makes it from the schemas of a CRD
 * - `path-element.ts`, `field-set.ts`, `fields-v1.ts`: sets of fields, and how `managedFields` writes them
 * - `validation.ts`, `value-fields.ts`, `comparison.ts`, `merge.ts`, `removal.ts`: what can be done with objects of a type
 * - `ownership.ts`, `pruning.ts`: how fields change hands, and when they go
 * - `field-manager.ts`: the two ways to write an object, `applyConfiguration` and `trackUpdate`
 *
 * The steps of a server around them: read the live object and convert it to the version of the request. For an apply, call
 * `applyConfiguration`, then drop what the type does not keep (nulls of built-in kinds), then set defaults. For any other write,
 * make the new object complete, defaults included, then call `trackUpdate`. Then comes admission, then what the server itself
 * writes (status kept or replaced, generation), and last `unlessOnlyTimesChanged`, which tells whether there is anything to store.
 */
export { goText } from "../go-text/index.ts";
export type { JsonObject, JsonValue } from "../patches/json-value.ts";
export { ApplyConflictError, type Conflict, type ConflictCause } from "./conflicts.ts";
export { type ApplyRequest, applyConfiguration, trackUpdate, type UpdateRequest } from "./field-manager.ts";
export { FieldSet } from "./field-set.ts";
export { decodeFields, encodeFields, type FieldsV1 } from "./fields-v1.ts";
export { decodeManagers } from "./managed-fields.ts";
export type { FieldFilter, ManagedKind } from "./managed-kind.ts";
export { builtInKind, type CustomDefinition, type CustomVersion, customKind } from "./managed-kinds.ts";
export { managerName } from "./manager-name.ts";
export { type OpenApiSchema, schemasOfDefinitions, typedSchemaOf } from "./open-api-schema.ts";
export { fieldPath, type Path, type PathElement, pathText } from "./path-element.ts";
export { type ReplicasPaths, type ScaledObject, scaledManagedFields, scaleManagedFields } from "./scale-fields.ts";
export { unlessOnlyTimesChanged } from "./timestamps.ts";
export type { ListSchema, MapSchema, SchemaReference, StructField, TypedSchema } from "./typed-schema.ts";
