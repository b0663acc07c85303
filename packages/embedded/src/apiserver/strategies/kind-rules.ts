import type { JsonObject } from "@stowage/machinery/apply";
import type { FieldError } from "@stowage/machinery/structural";
import { admissionKinds } from "./kinds/admission/index.ts";
import { clusterKinds } from "./kinds/cluster/index.ts";
import { definitionRules } from "./kinds/definitions/definition-rules.ts";
import { networkingKinds } from "./kinds/networking/index.ts";
import { podKinds } from "./kinds/pods/index.ts";
import { storageKinds } from "./kinds/storage/index.ts";
import { workloadKinds } from "./kinds/workloads/index.ts";
import type { BeginDeletion, GarbageCollection } from "./strategy.ts";

/** When the generation of a kind's objects rises. */
export type GenerationRule = (object: JsonObject, old: JsonObject) => boolean;

/** What is wrong with the metadata of an object, to be put among what is wrong with the rest of it. */
export interface MetadataErrors {
  /** Of the metadata as it is. */
  readonly own: readonly FieldError[];
  /** Of what an update makes of it. */
  readonly changes: readonly FieldError[];
}

/** Every check of a kind, its metadata's too, where the order of most kinds is not its own. */
export interface KindChecks {
  readonly create: (object: JsonObject, metadata: readonly FieldError[]) => FieldError[];
  readonly update: (object: JsonObject, old: JsonObject, metadata: MetadataErrors) => FieldError[];
  readonly status?: (object: JsonObject, old: JsonObject, metadata: MetadataErrors) => FieldError[];
}

/** Of a subresource through which a part of an object is written, such as `pods/resize`. */
export interface SubresourceRules {
  /** What of the object is taken over. */
  readonly prepareForUpdate: (object: JsonObject, old: JsonObject) => JsonObject;
  readonly errors: (object: JsonObject, old: JsonObject, metadata: MetadataErrors) => FieldError[];
}

/** What is particular to a built-in kind. Whatever is left out is as it is for most. */
export interface KindRules {
  readonly nameProblems?: (name: string, isPrefix: boolean) => readonly string[];
  /** Sets what a client has left out, in every object that is read. */
  readonly defaults?: (object: JsonObject) => JsonObject;
  /** Whoever creates it may say what it is like: a Node tells of itself. */
  readonly keepsNewStatus?: boolean;
  readonly prepareForCreate?: (object: JsonObject, nowMs: number) => JsonObject;
  readonly prepareForUpdate?: (object: JsonObject, old: JsonObject, nowMs: number) => JsonObject;
  readonly prepareForStatusUpdate?: (object: JsonObject, old: JsonObject, nowMs: number) => JsonObject;
  /** What is wrong with an object that has its defaults, its metadata apart; on every create, and on every update beside the changes. */
  readonly errors?: (object: JsonObject, old: JsonObject | undefined) => FieldError[];
  readonly updateErrors?: (object: JsonObject, old: JsonObject) => FieldError[];
  readonly statusUpdateErrors?: (object: JsonObject, old: JsonObject) => FieldError[];
  /** In the place of the three above. */
  readonly checks?: KindChecks;
  /** By their names; `status` and `finalize` are every kind's. */
  readonly subresources?: Readonly<Record<string, SubresourceRules>>;
  /** Told to whoever writes it, and nothing else comes of them. */
  readonly warnings?: (object: JsonObject, old: JsonObject | undefined) => string[];
  /** Of a new object before it is prepared; told also when it is refused. */
  readonly warningsBeforeCreate?: (object: JsonObject) => string[];
  readonly gracePeriodSeconds?: (object: JsonObject, requestedSeconds: number | undefined) => number;
  readonly beginDeletion?: BeginDeletion;
  readonly mayBeRemoved?: (object: JsonObject) => boolean;
  readonly garbageCollection?: GarbageCollection;
  readonly deletionWarning?: string;
}

/** By `group/Kind`. */
export type KindTable = Readonly<Record<string, KindRules>>;

const table: KindTable = {
  "apiextensions.k8s.io/CustomResourceDefinition": definitionRules,
  ...admissionKinds,
  ...clusterKinds,
  ...networkingKinds,
  ...podKinds,
  ...storageKinds,
  ...workloadKinds,
};

/** Groups are told apart, versions are not: a kind is the same in all of them. */
export interface KindName {
  readonly group: string;
  readonly kind: string;
}

export function rulesOf({ group, kind }: KindName): KindRules {
  const key = `${group}/${kind}`;
  return (Object.hasOwn(table, key) ? table[key] : undefined) ?? {};
}
