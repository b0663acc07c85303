import { hasErrorCode, StowageError } from "../errors/stowage-error.ts";
import { equalJson, isJsonObject, type JsonObject } from "../patches/json-value.ts";
import { formatTime } from "../time/index.ts";
import { ApplyConflictError } from "./conflicts.ts";
import { FieldSet } from "./field-set.ts";
import { isTooDeep, maxDepth } from "./json-object.ts";
import { conflictsBeyondLastApplied, kubectlManager, withLastApplied } from "./last-applied.ts";
import { type Manager, type ManagerIdentity, type Managers, managerId } from "./managed-fields.ts";
import { kindText, type ManagedKind } from "./managed-kind.ts";
import { cappedManagers } from "./manager-cap.ts";
import { mergeObjects } from "./merge.ts";
import { carriedManagers, liveManagers, nameOf, withManagers } from "./object-managers.ts";
import { changeable, invalid, reconciledManagers, stripped, transferOwnership, unserved } from "./ownership.ts";
import { pruned } from "./pruning.ts";
import type { TypedSchema } from "./typed-schema.ts";
import { typeProblem } from "./validation.ts";
import { fieldsOfValue } from "./value-fields.ts";

export interface ApplyRequest {
  /** As it is stored, in the version of the kind; undefined to create it. */
  readonly live: JsonObject | undefined;
  /** What is applied: only the fields that the manager wants to own. */
  readonly applied: JsonObject;
  readonly manager: string;
  /** Takes the fields of others instead of failing. */
  readonly force: boolean;
  readonly nowMs: number;
}

export interface UpdateRequest {
  /** As it is stored, in the version of the kind; undefined when the object is created. */
  readonly live: JsonObject | undefined;
  /** What is to be stored: complete, with defaults, before admission has changed it. */
  readonly next: JsonObject;
  readonly manager: string;
  readonly nowMs: number;
}

/**
 * The object that comes out of server-side apply, with its managed fields; what it lacks of defaults is for the caller to add.
 * Throws `ApplyConflictError`; `APPLY_REFUSED` when the request makes no sense (400), `APPLY_INVALID_OBJECT` when something in
 * it is not of its type (500, as on the original).
 */
export function applyConfiguration(kind: ManagedKind, request: ApplyRequest): JsonObject {
  const { applied, manager } = request;
  const live = request.live ?? kind.emptyObject();
  if (isTooDeep(applied) || isTooDeep(live)) throw invalid(`an object is nested deeper than ${maxDepth} levels`);
  let managers = liveManagers(live);
  checkApplied(kind, applied);
  if (managers.size === 0) {
    // Somebody wrote it before anybody kept count, and owns it from now on.
    const first = { live: kind.emptyObject(), next: live, manager: "before-first-apply", nowMs: request.nowMs };
    managers = updatedManagers(kind, first, managers);
  }
  try {
    return appliedObject(kind, { ...request, live }, managers);
  } catch (error) {
    if (!(error instanceof ApplyConflictError) || manager !== kubectlManager) throw error;
    const remaining = conflictsBeyondLastApplied(kind, live, error);
    if (remaining.length > 0) throw new ApplyConflictError(remaining);
    return appliedObject(kind, { ...request, live, force: true }, managers);
  }
}

function checkApplied(kind: ManagedKind, applied: JsonObject): void {
  const { apiVersion, kind: name, metadata } = applied;
  if (apiVersion !== kind.apiVersion || name !== kind.kind) {
    const given = kindText(typeof apiVersion === "string" ? apiVersion : "", typeof name === "string" ? name : "");
    throw new StowageError("APPLY_REFUSED", `invalid object type: ${given}`);
  }
  if (isJsonObject(metadata) && Array.isArray(metadata["managedFields"])) {
    throw new StowageError("APPLY_REFUSED", "metadata.managedFields must be nil");
  }
}

type Applying = ApplyRequest & { readonly live: JsonObject };

function appliedObject(
  kind: ManagedKind,
  { live, applied, manager, force, nowMs }: Applying,
  known: Managers,
): JsonObject {
  const type = typeOf(kind);
  checkType("create typed patch object", type, applied, false);
  checkType("create typed live object", type, live, true);
  const self = identity(kind, manager, "Apply");
  const id = managerId(self);
  const before = reconciledManagers(kind, live, known);
  const last = before.get(id);
  const set = changeable(kind, fieldsOfValue(type, applied));
  const applying: Manager = { ...self, set, time: last?.time };
  const managers = new Map(before).set(id, applying);
  const after = pruned(kind, mergeObjects(type, live, applied) as JsonObject, managers, last);
  const transfer = transferOwnership({ kind, before: live, after, self }, managers, force);
  const result = new Map(transfer.managers);
  const isChanged = !equalJson(live, after);
  replace(result, id, stripped({ ...applying, time: isChanged ? formatTime(nowMs) : applying.time }));
  const object = withManagers(after, result);
  return manager === kubectlManager ? withLastApplied(object, applied) : object;
}

/**
 * The object with its managed fields after a create, an update or a patch other than apply: what has changed since `live` is the
 * manager's. Managed fields in `next` count as the live ones, so that they can be corrected; an empty list of them forgets all.
 * An object that is not of its type is stored without managed fields, as on the original.
 */
export function trackUpdate(kind: ManagedKind, request: UpdateRequest): JsonObject {
  const { next } = request;
  const live = request.live ?? kind.emptyObject();
  if (isTooDeep(next) || isTooDeep(live)) return withManagers(next, new Map());
  const managers = carriedManagers(live, next, kind.subresource !== "");
  const isCreated = request.live === undefined;
  // Of an object whose managers have been forgotten, none are kept until it is applied.
  if (managers.size === 0 && !isCreated) return withManagers(next, managers);
  try {
    return withManagers(
      next,
      updatedManagers(kind, { ...request, live, next: withManagers(next, new Map()) }, managers),
    );
  } catch (error) {
    if (hasErrorCode(error, "APPLY_INVALID_OBJECT")) return withManagers(next, new Map());
    throw error;
  }
}

type Updating = UpdateRequest & { readonly live: JsonObject };

function updatedManagers(kind: ManagedKind, { live, next, manager, nowMs }: Updating, known: Managers): Managers {
  const type = typeOf(kind);
  checkType("convert new object", type, next, true);
  checkType("convert live object", type, live, true);
  const before = reconciledManagers(kind, live, known);
  const { managers, comparison } = transferOwnership({ kind, before: live, after: next }, before, true);
  const set = changeable(kind, comparison.modified.union(comparison.added));
  const self = identity(kind, manager, "Update");
  const changed = stripped({ ...self, set, time: formatTime(nowMs) });
  if (changed === undefined) return cappedManagers(managers);
  const previous = managers.get(managerId(self))?.set ?? FieldSet.empty;
  const updated = { ...changed, set: changed.set.union(previous) };
  return cappedManagers(new Map(managers).set(managerId(self), updated));
}

function replace(managers: Map<string, Manager>, id: string, manager: Manager | undefined): void {
  if (manager === undefined) managers.delete(id);
  else managers.set(id, manager);
}

function identity(kind: ManagedKind, manager: string, operation: "Apply" | "Update"): ManagerIdentity {
  const { apiVersion, subresource } = kind;
  return { manager: manager === "" ? "unknown" : manager, operation, apiVersion, subresource };
}

function typeOf(kind: ManagedKind): TypedSchema {
  const type = kind.schemaOf(kind.apiVersion);
  if (type === undefined) throw unserved(kind);
  return type;
}

function checkType(attempt: string, type: TypedSchema, object: JsonObject, allowDuplicates: boolean): void {
  const problem = typeProblem(type, object, { allowDuplicates });
  if (problem !== undefined) throw invalid(`failed to ${attempt} (${nameOf(object)}): ${problem}`);
}
