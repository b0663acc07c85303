import { type JsonObject, trackUpdate, unlessOnlyTimesChanged } from "@stowage/machinery/apply";
import { invalid } from "@stowage/machinery/structural";
import { badRequest, conflict, modifiedMeanwhile, notFound } from "../../answers/index.ts";
import type { StoredObject, Transaction } from "../../store/index.ts";
import {
  commonMetadataErrors,
  metadataOf,
  metadataUpdateErrors,
  numberOf,
  type Strategy,
  textOf,
  textsOf,
  withMetadata,
} from "../../strategies/index.ts";
import type { ApiAnswer, ApiRequest } from "../api-request.ts";
import { objectKey } from "../object-key.ts";
import { preconditionProblem } from "./deletion-plan.ts";
import { inNamespace } from "./namespace-check.ts";
import { addObject } from "./object-creation.ts";
import { withOwnersOnce } from "./owner-references.ts";
import { sentObject } from "./request-body.ts";
import { isAsStored, liveObject, objectText, putObject } from "./stored-object.ts";
import { checkFields, invalidObject, unexpected, withWarnings } from "./write-errors.ts";
import { writeOptions } from "./write-options.ts";
import { managerOf, type WriteDeps, type WriteTarget, writeTarget } from "./write-target.ts";

export async function updateObject(deps: WriteDeps, request: ApiRequest): Promise<ApiAnswer> {
  const target = writeTarget(deps, request);
  const { strategy, namespace } = target;
  const options = writeOptions("UpdateOptions", request.query);
  const sent = sentObject(strategy, request, options.fieldValidation);
  const warnings = [...sent.warnings];
  const named = inNamespace(sent.object, namespace);
  checkName(named, request.info.name ?? "");
  const object = withOwnersOnce(named, warnings);
  const uid = textOf(metadataOf(object)["uid"]);
  const manager = managerOf(target, options.fieldManager);
  const replacement: Replacement = {
    target,
    warnings,
    isDryRun: options.isDryRun,
    mayCreate: strategy.allowsCreateOnUpdate,
    uid: uid === "" ? undefined : uid,
    desired: (live, nowMs) => trackUpdate(strategy.managed, { live, next: object, manager, nowMs }),
  };
  return await withWarnings(warnings, () =>
    deps.store.transact((transaction) => replaceObject(transaction, replacement)),
  );
}

/** The name of the path, which the object has to repeat. */
export function checkName(object: JsonObject, name: string): void {
  const own = textOf(metadataOf(object)["name"]);
  if (own === "") {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (own !== name) throw badRequest(`the name of the object (${own}) does not match the name on the URL (${name})`);
}

export interface Replacement {
  readonly target: WriteTarget;
  readonly warnings: string[];
  readonly isDryRun: boolean;
  /** When there is nothing to replace. */
  readonly mayCreate: boolean;
  /** That the object must have. */
  readonly uid: string | undefined;
  /** What is to be there, with its managed fields, given what is. */
  readonly desired: (live: JsonObject | undefined, nowMs: number) => JsonObject;
}

export function replaceObject(transaction: Transaction, replacement: Replacement): ApiAnswer {
  const { target, uid, mayCreate, isDryRun, warnings } = replacement;
  const { deps, resource, strategy, namespace, request } = target;
  const name = request.info.name ?? "";
  const key = objectKey(resource, { namespace, name });
  const existing = transaction.get(key);
  if (existing === undefined && !mayCreate) throw notFound(resource, name);
  const live = existing && liveObject(strategy, existing);
  const problem = preconditionProblem(target, live, { uid });
  if (problem !== undefined) throw conflict(resource, name, problem);
  const nowMs = deps.clock.nowMs();
  const desired = replacement.desired(live, nowMs);
  if (existing === undefined || live === undefined) {
    return {
      code: 201,
      body: addObject(transaction, { target, object: desired, nowMs, warnings, isDryRun }),
      warnings,
    };
  }
  const write = { operation: "update", resource, request, old: live, transaction, isDryRun, warnings } as const;
  const object = deps.admit?.({ ...write, object: desired }) ?? desired;
  const checked = completed(target, { object, live, nowMs });
  // They are told also when it is refused in the end.
  warnings.push(...strategy.warnings(checked, live));
  deps.validate?.({ ...write, object: checked });
  const next = unlessOnlyTimesChanged(live, checked);
  const body = keep(transaction, { key, strategy, next, live, existing, isDryRun });
  return { code: 200, body, warnings };
}

interface Kept {
  readonly key: string;
  readonly strategy: Strategy;
  readonly next: JsonObject;
  readonly live: JsonObject;
  readonly existing: StoredObject;
  readonly isDryRun: boolean;
}

/** What is kept, which may be nothing: an object that waited for its last finalizer goes with it. */
function keep(transaction: Transaction, { key, strategy, next, live, existing, isDryRun }: Kept): string {
  if (isOver(next, live) && strategy.mayBeRemoved(next)) {
    if (!isDryRun) transaction.delete(key);
    return objectText(strategy, next);
  }
  if (isAsStored(strategy, next, existing)) return objectText(strategy, next);
  return putObject(transaction, { key, strategy, object: next, isDryRun });
}

function isOver(next: JsonObject, live: JsonObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadataOf(live);
  const isDeleted = deletionTimestamp !== undefined && (numberOf(deletionGracePeriodSeconds) ?? 0) === 0;
  return isDeleted && textsOf(metadataOf(next)["finalizers"]).length === 0;
}

interface Update {
  readonly object: JsonObject;
  readonly live: JsonObject;
  readonly nowMs: number;
}

/** The object as it is to be kept, when nothing is wrong with it. */
function completed(target: WriteTarget, { object, live, nowMs }: Update): JsonObject {
  const { strategy, namespace } = target;
  const versioned = withVersion(target, object, live);
  const { generation } = metadataOf(live);
  const prepared = strategy.prepareForUpdate(
    withMetadata(inNamespace(versioned, namespace), { generation }),
    live,
    nowMs,
  );
  const next = withMetadata(prepared, settledMetadata(metadataOf(prepared), metadataOf(live)));
  checkFields({ ...strategy, name: textOf(metadataOf(next)["name"]) }, [
    ...commonMetadataErrors(next, strategy.namespaced),
    ...metadataUpdateErrors(next, live),
    ...strategy.validateUpdate(next, live),
  ]);
  return next;
}

/** What an update can neither change nor remove. */
function settledMetadata(now: JsonObject, before: JsonObject) {
  return {
    uid: textOf(now["uid"]) === "" ? before["uid"] : now["uid"],
    creationTimestamp: before["creationTimestamp"] ?? now["creationTimestamp"],
    deletionTimestamp: before["deletionTimestamp"] ?? now["deletionTimestamp"],
    deletionGracePeriodSeconds: now["deletionGracePeriodSeconds"] ?? before["deletionGracePeriodSeconds"],
  };
}

/** Throws when the object was made from another version than the last. */
function withVersion({ strategy, resource, request }: WriteTarget, object: JsonObject, live: JsonObject): JsonObject {
  const name = request.info.name ?? "";
  const sent = textOf(metadataOf(object)["resourceVersion"]);
  const last = metadataOf(live)["resourceVersion"];
  if (sent !== "" && !/^\d+$/u.test(sent)) {
    throw unexpected(`strconv.ParseUint: parsing ${JSON.stringify(sent)}: invalid syntax`);
  }
  if (Number(sent) !== 0) {
    if (sent !== last) throw modifiedMeanwhile(resource, name);
    return object;
  }
  if (strategy.allowsUnconditionalUpdate) return withMetadata(object, { resourceVersion: last });
  const error = invalid("metadata.resourceVersion", 0, "must be specified for an update");
  throw invalidObject({ group: resource.group, kind: resource.plural, name }, [error]);
}
