import type { JsonObject, ManagedKind } from "@stowage/machinery/apply";
import type { FieldError } from "@stowage/machinery/structural";

/** What came of reading an object that a client sent. */
export interface ReadObject {
  readonly object: JsonObject;
  /** Paths of what was taken out. */
  readonly unknownFields: readonly string[];
  /** Why it cannot be read at all, in the words of Go's decoder. */
  readonly problem: string | undefined;
}

/** What is known of where an object comes from. */
export interface Reading {
  /** Numbers that were not written as whole ones are, by their paths. */
  readonly oddNumbers?: ReadonlyMap<string, string>;
  /** By a strategic merge patch. */
  readonly isMerged?: boolean;
  /** By an apply, whose nulls stay in the objects of a CRD. */
  readonly isApplied?: boolean;
}

/** What a Namespace and a CustomResourceDefinition have to themselves: they are marked first, and go when all in them has gone. */
export type BeginDeletion = (object: JsonObject, nowMs: number) => JsonObject;

/** What becomes of dependents when whoever deletes an object does not say: `unsupported` never lets finalizers be set for it. */
export type GarbageCollection = "delete" | "orphan" | "unsupported";

/**
 * How one kind is written through one resource or subresource: what of an object a client may set, when its generation rises, how it
 * is defaulted and checked. All of it is pure: objects in, objects out.
 */
export interface Strategy {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Kinds of CRDs are read as they are sent: a wrong kind is found by validation, and strategic patches are refused. */
  readonly isCustom: boolean;
  /** Of fields and who wrote them. */
  readonly managed: ManagedKind;
  /** Most built-in kinds are kept as protobuf, which cannot tell an empty list from none. */
  readonly keepsEmptyLists: boolean;
  /** In which objects are kept, whatever version they came in. */
  readonly storedApiVersion: string;
  readonly allowsCreateOnUpdate: boolean;
  /** Without a resourceVersion in the object. */
  readonly allowsUnconditionalUpdate: boolean;
  /** A delete answers with the object; the others answer with a Status. */
  readonly returnsDeletedObject: boolean;
  readonly garbageCollection: GarbageCollection;
  /** Told to whoever deletes an object and does not say what is to become of its dependents. */
  readonly deletionWarning?: string;
  /** Unknown fields and nulls go, defaults come. */
  read(object: JsonObject, reading?: Reading): ReadObject;
  prepareForCreate(object: JsonObject, nowMs: number): JsonObject;
  prepareForUpdate(object: JsonObject, old: JsonObject, nowMs: number): JsonObject;
  validateCreate(object: JsonObject): FieldError[];
  /** Beside what holds for the metadata of every kind. */
  validateUpdate(object: JsonObject, old: JsonObject): FieldError[];
  warnings(object: JsonObject, old: JsonObject | undefined): string[];
  /** Told of a new object as it was sent, also when it is refused. */
  warningsBeforeCreate?(object: JsonObject): string[];
  /** Of kinds whose objects end themselves before they are removed: how long that may take. */
  gracePeriodSeconds?(object: JsonObject, requestedSeconds: number | undefined): number;
  readonly beginDeletion?: BeginDeletion;
  /** Whether the object can be removed, its finalizers apart. */
  mayBeRemoved(object: JsonObject): boolean;
}
