import { builtInKind, type JsonObject, type ManagedKind } from "@stowage/machinery/apply";
import { type FieldError, metadataErrors } from "@stowage/machinery/structural";
import type { ServedResource } from "../resources/index.ts";
import { builtInForm } from "./built-in-form.ts";
import { metadataOf, textsOf, withFields, withMetadata } from "./json-fields.ts";
import { factsOf, type KindFacts } from "./kind-facts.ts";
import { type KindRules, rulesOf } from "./kind-rules.ts";
import type { KindSeams } from "./kind-seams.ts";
import { finalizeErrors } from "./kinds/namespace-rules.ts";
import { metadataUpdateErrors } from "./metadata-update.ts";
import { nameProblemsOf, ownerlessErrors } from "./names.ts";
import type { Strategy } from "./strategy.ts";

/** What of a built-in kind is written: all of it but its status, its status, or the finalizers of a Namespace. */
type Part = "main" | "status" | "finalize";

interface Kind {
  readonly resource: ServedResource;
  readonly managed: ManagedKind;
  readonly rules: KindRules;
  readonly facts: KindFacts;
  readonly seams: KindSeams;
  readonly part: Part;
}

/** Undefined for what is not kept, and for subresources that are written in a way of their own. */
export function builtInStrategy(resource: ServedResource, subresource: string, seams: KindSeams): Strategy | undefined {
  const part = partOf(subresource);
  const { group, version, kind } = resource;
  const apiVersion = group === "" ? version : `${group}/${version}`;
  const managed = builtInKind(apiVersion, kind, subresource);
  if (part === undefined || managed === undefined) return undefined;
  const facts = factsOf(resource);
  const built: Kind = { resource, managed, rules: rulesOf(resource), facts, seams, part };
  const { rules } = built;
  return {
    group,
    version,
    kind,
    managed,
    namespaced: resource.namespaced,
    isCustom: false,
    storedApiVersion: apiVersion,
    allowsCreateOnUpdate: facts.allowsCreateOnUpdate && part === "main",
    allowsUnconditionalUpdate: facts.allowsUnconditionalUpdate,
    returnsDeletedObject: facts.returnsDeletedObject,
    garbageCollection: rules.garbageCollection ?? "delete",
    read: (object) => readBuiltIn(built, object),
    prepareForCreate: (object, nowMs) => preparedForCreate(built, object, nowMs),
    prepareForUpdate: (object, old, nowMs) => preparedForUpdate(built, { object, old, nowMs }),
    validateCreate: (object) => errorsOf(built, object),
    validateUpdate: (object, old) => updateErrorsOf(built, object, old),
    warnings: () => [],
    ...(rules.gracePeriodSeconds && { gracePeriodSeconds: rules.gracePeriodSeconds }),
    ...(rules.beginDeletion && { beginDeletion: rules.beginDeletion }),
    mayBeRemoved: rules.mayBeRemoved ?? (() => true),
  };
}

function partOf(subresource: string): Part | undefined {
  if (subresource === "") return "main";
  return subresource === "status" || subresource === "finalize" ? subresource : undefined;
}

function readBuiltIn({ resource, managed, seams }: Kind, object: JsonObject) {
  const type = managed.schemaOf(managed.apiVersion) ?? {};
  // The definitions of resources are the one built-in kind that is kept as JSON.
  const options = { keepsEmptyLists: resource.group === "apiextensions.k8s.io" };
  const read = builtInForm(type, object, options);
  const defaults = seams.defaultsOf(resource);
  return defaults === undefined || read.problem !== undefined ? read : { ...read, object: defaults(read.object) };
}

function hasStatus({ resource }: Kind): boolean {
  return resource.subresources.some(({ name }) => name === "status");
}

function preparedForCreate(kind: Kind, object: JsonObject, nowMs: number): JsonObject {
  const { rules, facts, managed } = kind;
  const empty = managed.emptyObject()["status"];
  const own = hasStatus(kind) ? withFields(object, { status: empty }) : object;
  const counted = withMetadata(own, { generation: facts.firstGeneration });
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
  const prepared = rules.prepareForUpdate?.(own, old, nowMs) ?? own;
  if (facts.generation?.(prepared, old) !== true) return prepared;
  return withMetadata(prepared, { generation: Number(metadataOf(old)["generation"] ?? 0) + 1 });
}

/** All that a status write leaves alone, but who wrote the fields: that is about the status, too. */
function withMetadataOf(object: JsonObject, old: JsonObject): JsonObject {
  const { labels, annotations, finalizers, ownerReferences, deletionTimestamp } = metadataOf(old);
  return withMetadata(object, { labels, annotations, finalizers, ownerReferences, deletionTimestamp });
}

function errorsOf({ resource, rules, seams }: Kind, object: JsonObject): FieldError[] {
  const metadata = metadataOf(object);
  const nameProblems = rules.nameProblems ?? nameProblemsOf(resource);
  const finalizers = textsOf(metadata["finalizers"]);
  // Definitions check their own metadata, by their own rule for names.
  const isDefinition = resource.group === "apiextensions.k8s.io";
  return [
    ...(isDefinition ? [] : metadataErrors(metadata, "metadata", { namespaced: resource.namespaced, nameProblems })),
    ...finalizers.flatMap((name, index) => ownerlessErrors(name, `metadata.finalizers[${index}]`)),
    ...(rules.createErrors?.(object) ?? []),
    ...(seams.validationOf(resource)?.(object) ?? []),
  ];
}

function updateErrorsOf(kind: Kind, object: JsonObject, old: JsonObject): FieldError[] {
  const { rules, part, resource } = kind;
  const metadata = metadataUpdateErrors(object, old);
  if (part === "status") return [...metadata, ...(rules.statusUpdateErrors?.(object, old) ?? [])];
  if (part === "finalize") return [...metadata, ...finalizeErrors(object)];
  const changes = rules.updateErrors?.(object, old) ?? [];
  // A definition's checks of an update have those of a new one in them; a Namespace is not checked anew.
  const isWhole = resource.kind === "CustomResourceDefinition" || resource.kind === "Namespace";
  return isWhole ? [...metadata, ...changes] : [...metadata, ...changes, ...errorsOf(kind, object)];
}
