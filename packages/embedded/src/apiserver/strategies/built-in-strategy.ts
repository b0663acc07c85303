import { InvalidQuantityError } from "@stowage/machinery";
import { builtInKind, type JsonObject, type ManagedKind } from "@stowage/machinery/apply";
import { type FieldError, metadataErrors } from "@stowage/machinery/structural";
import type { ServedResource } from "../resources/index.ts";
import { builtInForm } from "./built-in-form.ts";
import { metadataOf, textsOf, withFields, withMetadata } from "./json-fields.ts";
import { factsOf, type KindFacts } from "./kind-facts.ts";
import { type KindRules, rulesOf, type SubresourceRules } from "./kind-rules.ts";
import { finalizeErrors } from "./kinds/cluster/namespace-rules.ts";
import { metadataUpdateErrors } from "./metadata-update.ts";
import { nameProblemsOf, ownerlessErrors } from "./names.ts";
import type { Reading, Strategy } from "./strategy.ts";

/** What of a built-in kind is written: all of it but its status, its status, the finalizers of a Namespace, or a part of its own. */
type Part = "main" | "status" | "finalize" | SubresourceRules;

interface Kind {
  readonly resource: ServedResource;
  readonly managed: ManagedKind;
  readonly rules: KindRules;
  readonly facts: KindFacts;
  readonly part: Part;
}

/** Undefined for what is not kept, and for subresources that are written in a way of their own. */
export function builtInStrategy(resource: ServedResource, subresource: string): Strategy | undefined {
  const part = partOf(subresource, rulesOf(resource));
  const { group, version, kind } = resource;
  const apiVersion = group === "" ? version : `${group}/${version}`;
  const managed = builtInKind(apiVersion, kind, subresource);
  if (part === undefined || managed === undefined) return undefined;
  const facts = factsOf(resource);
  const built: Kind = { resource, managed, rules: rulesOf(resource), facts, part };
  const { rules } = built;
  return {
    group,
    version,
    kind,
    managed,
    namespaced: resource.namespaced,
    isCustom: false,
    keepsEmptyLists: keepsEmptyLists(resource),
    storedApiVersion: apiVersion,
    allowsCreateOnUpdate: facts.allowsCreateOnUpdate && part === "main",
    allowsUnconditionalUpdate: facts.allowsUnconditionalUpdate,
    returnsDeletedObject: facts.returnsDeletedObject,
    garbageCollection: rules.garbageCollection ?? "delete",
    read: (object, reading) => readBuiltIn(built, object, reading),
    prepareForCreate: (object, nowMs) => preparedForCreate(built, object, nowMs),
    prepareForUpdate: (object, old, nowMs) => preparedForUpdate(built, { object, old, nowMs }),
    validateCreate: (object) => errorsOf(built, object, undefined),
    validateUpdate: (object, old) => updateErrorsOf(built, object, old),
    warnings: (object, old) => (part === "main" ? (rules.warnings?.(object, old) ?? []) : []),
    ...(rules.warningsBeforeCreate && { warningsBeforeCreate: rules.warningsBeforeCreate }),
    ...(rules.gracePeriodSeconds && { gracePeriodSeconds: rules.gracePeriodSeconds }),
    ...(rules.beginDeletion && { beginDeletion: rules.beginDeletion }),
    ...(rules.deletionWarning !== undefined && { deletionWarning: rules.deletionWarning }),
    mayBeRemoved: rules.mayBeRemoved ?? (() => true),
  };
}

function partOf(subresource: string, { subresources }: KindRules): Part | undefined {
  if (subresource === "") return "main";
  return subresource === "status" || subresource === "finalize" ? subresource : subresources?.[subresource];
}

function readBuiltIn({ resource, managed, rules: { defaults } }: Kind, object: JsonObject, reading: Reading = {}) {
  const read = builtInForm({ apiVersion: managed.apiVersion, kind: resource.kind }, object, reading);
  if (defaults === undefined || read.problem !== undefined) return read;
  try {
    return { ...read, object: defaults(read.object) };
  } catch (error) {
    // Amounts are the one thing that is read by the kinds themselves.
    if (error instanceof InvalidQuantityError) return { ...read, problem: error.reason };
    throw error;
  }
}

/** Definitions of resources are kept as JSON, and a revision is JSON of its own. */
function keepsEmptyLists({ group, kind }: ServedResource): boolean {
  return group === "apiextensions.k8s.io" || kind === "ControllerRevision";
}

function hasStatus({ resource }: Kind): boolean {
  return resource.subresources.some(({ name }) => name === "status");
}

function preparedForCreate(kind: Kind, object: JsonObject, nowMs: number): JsonObject {
  const { rules, facts, managed } = kind;
  const empty = managed.emptyObject()["status"];
  const isCleared = hasStatus(kind) && rules.keepsNewStatus !== true;
  const own = isCleared ? withFields(object, { status: empty }) : object;
  const { firstGeneration } = facts;
  const counted = firstGeneration === undefined ? own : withMetadata(own, { generation: firstGeneration });
  return rules.prepareForCreate?.(counted, nowMs) ?? counted;
}

interface Update {
  readonly object: JsonObject;
  readonly old: JsonObject;
  readonly nowMs: number;
}

function preparedForUpdate(kind: Kind, { object, old, nowMs }: Update): JsonObject {
  const { rules, facts, part } = kind;
  if (part === "status") {
    const own = withFields(object, { spec: old["spec"] });
    const kept = facts.statusKeepsMetadata ? withMetadataOf(own, old) : own;
    return rules.prepareForStatusUpdate?.(kept, old, nowMs) ?? kept;
  }
  const own = hasStatus(kind) ? withFields(object, { status: old["status"] }) : object;
  if (part === "finalize") return own;
  const prepared = partRules(part)?.prepareForUpdate(own, old) ?? rules.prepareForUpdate?.(own, old, nowMs) ?? own;
  if (facts.generation?.(prepared, old) !== true) return prepared;
  return withMetadata(prepared, { generation: Number(metadataOf(old)["generation"] ?? 0) + 1 });
}

function partRules(part: Part): SubresourceRules | undefined {
  return typeof part === "string" ? undefined : part;
}

/** All that a status write leaves alone, but who wrote the fields: that is about the status, too. */
function withMetadataOf(object: JsonObject, old: JsonObject): JsonObject {
  const { labels, annotations, finalizers, ownerReferences, deletionTimestamp } = metadataOf(old);
  return withMetadata(object, { labels, annotations, finalizers, ownerReferences, deletionTimestamp });
}

function errorsOf(kind: Kind, object: JsonObject, old: JsonObject | undefined): FieldError[] {
  const metadata = ownMetadataErrors(kind, object);
  const { rules } = kind;
  return rules.checks?.create(object, metadata) ?? [...metadata, ...(rules.errors?.(object, old) ?? [])];
}

function ownMetadataErrors({ resource, rules }: Kind, object: JsonObject): FieldError[] {
  const metadata = metadataOf(object);
  const nameProblems = rules.nameProblems ?? nameProblemsOf(resource);
  const finalizers = textsOf(metadata["finalizers"]);
  // Definitions check their own metadata, by their own rule for names.
  const isDefinition = resource.group === "apiextensions.k8s.io";
  return [
    ...(isDefinition ? [] : metadataErrors(metadata, "metadata", { namespaced: resource.namespaced, nameProblems })),
    ...finalizers.flatMap((name, index) => ownerlessErrors(name, `metadata.finalizers[${index}]`)),
  ];
}

function updateErrorsOf(kind: Kind, object: JsonObject, old: JsonObject): FieldError[] {
  const { rules, part, resource } = kind;
  const metadata = metadataUpdateErrors(object, old);
  if (part === "finalize") return [...metadata, ...finalizeErrors(object)];
  const check = partRules(part)?.errors ?? (part === "status" ? rules.checks?.status : rules.checks?.update);
  if (check !== undefined) return check(object, old, { own: ownMetadataErrors(kind, object), changes: metadata });
  if (part === "status") return [...metadata, ...(rules.statusUpdateErrors?.(object, old) ?? [])];
  const changes = rules.updateErrors?.(object, old) ?? [];
  // A definition's checks of an update have those of a new one in them; a Namespace is not checked anew.
  const isWhole = resource.kind === "CustomResourceDefinition" || resource.kind === "Namespace";
  return isWhole ? [...metadata, ...changes] : [...metadata, ...changes, ...errorsOf(kind, object, old)];
}
