import type { JsonObject } from "@stowage/machinery/apply";
import { conflict, notFound } from "../../answers/index.ts";
import type { Transaction } from "../../store/index.ts";
import { metadataOf, textOf, withMetadata } from "../../strategies/index.ts";
import type { ApiAnswer, ApiRequest } from "../api-request.ts";
import { objectKey } from "../object-key.ts";
import { type DeleteOptions, deleteOptions } from "./delete-options.ts";
import { type DeletionPlan, desiredDeletion } from "./deletion-plan.ts";
import { isAsStored, liveObject, objectText, putObject } from "./stored-object.ts";
import { refused } from "./write-errors.ts";
import { type WriteDeps, type WriteTarget, writeTarget } from "./write-target.ts";

export async function deleteObject(deps: WriteDeps, request: ApiRequest): Promise<ApiAnswer> {
  const target = writeTarget(deps, request);
  const options = deleteOptions(request);
  const { body, isRemoved } = await removeObject(target, request.info.name ?? "", options);
  const isAccepted = !isRemoved && options.orphanDependents === false;
  return { code: isAccepted ? 202 : 200, body, warnings: deletionWarnings(target, options) };
}

/** Of kinds whose dependents stay though most would want them to go. */
export function deletionWarnings({ strategy }: WriteTarget, options: DeleteOptions): string[] {
  const { propagationPolicy, orphanDependents } = options;
  const isUnsaid = propagationPolicy === undefined && orphanDependents === undefined;
  return isUnsaid && strategy.deletionWarning !== undefined ? [strategy.deletionWarning] : [];
}

interface Removal {
  readonly body: string;
  /** Otherwise it stays, marked. */
  readonly isRemoved: boolean;
}

const immortal: ReadonlySet<string> = new Set(["default", "kube-system", "kube-public"]);

/** Marks or removes an object. One that could have ended by itself is seen as marked before it is seen to be gone. */
export async function removeObject(target: WriteTarget, name: string, options: DeleteOptions): Promise<Removal> {
  const { deps, strategy, resource, namespace } = target;
  const key = objectKey(resource, { namespace, name });
  let last: JsonObject | undefined;
  // Both are in the queue before anything else, so nothing comes between them.
  const first = deps.store.transact((transaction): Removal | undefined => {
    const { object, plan, existing } = planned(transaction, target, { key, name, options });
    if (plan.step === "nothing") return { body: deletedText(target, object), isRemoved: false };
    if (plan.step === "mark") {
      if (isAsStored(strategy, plan.object, existing)) return { body: objectText(strategy, object), isRemoved: false };
      const put = { key, strategy, object: plan.object, isDryRun: options.isDryRun };
      return { body: putObject(transaction, put), isRemoved: false };
    }
    if (options.isDryRun) return { body: deletedText(target, plan.marked ?? object), isRemoved: true };
    if (plan.marked === undefined) {
      transaction.delete(key);
      return { body: deletedText(target, withVersionOf(transaction, object)), isRemoved: true };
    }
    last = plan.marked;
    putObject(transaction, { key, strategy, object: last, isDryRun: false });
    return undefined;
  });
  const second = deps.store.transact((transaction): Removal | undefined => {
    if (last === undefined) return undefined;
    transaction.delete(key);
    return { body: deletedText(target, withVersionOf(transaction, last)), isRemoved: true };
  });
  const [done, removed] = await Promise.all([first, second]);
  return (done ?? removed) as Removal;
}

function withVersionOf({ revision }: Transaction, object: JsonObject): JsonObject {
  return withMetadata(object, { resourceVersion: String(revision) });
}

interface Asked {
  readonly key: string;
  readonly name: string;
  readonly options: DeleteOptions;
}

function planned(transaction: Transaction, target: WriteTarget, { key, name, options }: Asked) {
  const { deps, resource, request, strategy } = target;
  const isNamespace = resource.group === "" && resource.plural === "namespaces";
  if (isNamespace && immortal.has(name)) throw refused({ resource, name, why: "this namespace may not be deleted" });
  const existing = transaction.get(key);
  if (existing === undefined) throw notFound(resource, name);
  const object = liveObject(strategy, existing);
  checkPreconditions(target, name, object, options);
  const { isDryRun } = options;
  const write = { operation: "delete", resource, request, old: object, transaction, isDryRun } as const;
  deps.admit?.({ ...write, object: undefined, warnings: [] });
  const nowMs = deps.clock.nowMs();
  return {
    object,
    existing,
    plan: beginning(target, object, nowMs) ?? desiredDeletion(strategy, object, options, nowMs),
  };
}

/** Of kinds whose contents go first. */
function beginning({ strategy }: WriteTarget, object: JsonObject, nowMs: number): DeletionPlan | undefined {
  if (strategy.beginDeletion === undefined) return undefined;
  if (metadataOf(object)["deletionTimestamp"] === undefined) {
    return { step: "mark", object: strategy.beginDeletion(object, nowMs) };
  }
  return strategy.mayBeRemoved(object) ? undefined : { step: "nothing" };
}

function checkPreconditions(
  { resource, strategy }: WriteTarget,
  name: string,
  object: JsonObject,
  options: DeleteOptions,
) {
  const { uid, resourceVersion } = options.preconditions;
  const found = metadataOf(object);
  // The real server names the kind here, where it names the resource elsewhere.
  const named = strategy.beginDeletion === undefined ? { group: resource.group, plural: resource.kind } : resource;
  if (uid !== undefined && uid !== found["uid"]) {
    throw conflict(named, name, problem(strategy.beginDeletion !== undefined, "UID", uid, textOf(found["uid"])));
  }
  if (resourceVersion !== undefined && resourceVersion !== found["resourceVersion"]) {
    const last = textOf(found["resourceVersion"]);
    throw conflict(
      named,
      name,
      problem(strategy.beginDeletion !== undefined, "ResourceVersion", resourceVersion, last),
    );
  }
}

function problem(isMarkedFirst: boolean, what: "ResourceVersion" | "UID", wanted: string, found: string): string {
  if (isMarkedFirst) return `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found}`;
  const then = what === "UID" ? "deleted and then recreated" : "modified";
  const mismatch = `the ${what} in the precondition (${wanted}) does not match the ${what} in record (${found})`;
  return `${mismatch}. The object might have been ${then}`;
}

/** The object itself, or that it has been done to it. */
function deletedText({ strategy, resource }: WriteTarget, object: JsonObject): string {
  if (strategy.returnsDeletedObject) return objectText(strategy, object);
  const { name, uid } = metadataOf(object);
  const { group, plural } = resource;
  const details = { name, ...(group !== "" && { group }), kind: plural, uid };
  return JSON.stringify({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details });
}
