import { isAlreadyExists, isConflict, isNotFound } from "@stowage/kube";
import { type KubernetesObject, StowageError } from "@stowage/machinery";
import { type ApplyDeps, type Target, targetOf } from "./apply-deps.ts";
import { cliName, isKindMissing, type ObjectAct, reportDone, reportFailed } from "./apply-events.ts";
import { desiredNewObject, type PlanOptions, planApply } from "./apply-plan.ts";

export interface ApplyObjectOptions extends PlanOptions {
  /** Where the cluster does not have the kind, nothing is done, and that is no failure. */
  readonly optional?: boolean;
  readonly signal?: AbortSignal;
}

export type ApplyChange = "none" | "created" | "updated" | "recreated" | "skipped";

export interface ApplyResult<T> {
  readonly change: ApplyChange;
  /** As it is now; what was wanted when it was skipped. Its `metadata.generation` is the one to remember. */
  readonly object: T;
}

/** More than enough: each turn is the answer to somebody else's write between our read and ours. */
const MAXIMUM_TURNS = 4;

/**
 * Makes an object on the server what it should be: creates it, rewrites what differs, makes anew what cannot be changed. Nothing is
 * sent when nothing differs. The wanted object is not changed, and need not name what the server fills in.
 */
export async function applyObject<T extends KubernetesObject>(
  deps: ApplyDeps,
  required: T,
  options: ApplyObjectOptions = {},
): Promise<ApplyResult<T>> {
  const target = await findTarget(deps, required, options);
  if (target === undefined) return { change: "skipped", object: required };
  const work = { deps, target, required, options };
  let existing = await firstLook(work);
  for (let turn = 1; ; turn++) {
    try {
      const result = existing === undefined ? await create(work) : await change(work, existing);
      deps.known?.add(target.key);
      return result as ApplyResult<T>;
    } catch (error) {
      if (existing === undefined && isNotFound(error) && (await hasVanished(work)))
        return { change: "skipped", object: required };
      const isOutdated = existing === undefined ? isAlreadyExists(error) : isConflict(error) || isNotFound(error);
      if (!isOutdated || turn === MAXIMUM_TURNS) throw error;
      existing = await read(work);
    }
  }
}

/** Creates it, for those who have to look before they change anything: false when it is there already. */
export async function createObject(
  deps: ApplyDeps,
  required: KubernetesObject,
  options: Pick<ApplyObjectOptions, "signal"> = {},
): Promise<boolean> {
  const target = await targetOf(deps, required);
  try {
    await create({ deps, target, required, options });
    return true;
  } catch (error) {
    if (isAlreadyExists(error)) return false;
    throw error;
  }
}

interface Work {
  readonly deps: ApplyDeps;
  readonly target: Target;
  readonly required: KubernetesObject;
  readonly options: ApplyObjectOptions;
}

async function findTarget(
  deps: ApplyDeps,
  required: KubernetesObject,
  { optional }: ApplyObjectOptions,
): Promise<Target | undefined> {
  try {
    return await targetOf(deps, required);
  } catch (error) {
    if (optional && isKindMissing(error)) return undefined;
    throw error;
  }
}

/** Nothing can be created: the kind may have been taken away since it was last looked up, or only its namespace. */
async function hasVanished({ deps, required, options }: Work): Promise<boolean> {
  if (!options.optional) return false;
  deps.mapper.invalidate?.();
  return (await findTarget(deps, required, options)) === undefined;
}

/** A read before each creation would double the requests on an empty cluster. */
async function firstLook(work: Work): Promise<KubernetesObject | undefined> {
  const { deps, target, options } = work;
  if (!deps.local?.covers(target.type, target.ref)) return deps.known?.has(target.key) ? read(work) : undefined;
  const local = deps.local.find(target.type, target.ref);
  // Older than our own last write: it would look as if somebody had undone that.
  const isOutdated = (local?.metadata.generation ?? 0) < (options.lastGeneration ?? 0);
  return local !== undefined && isOutdated ? read(work) : local;
}

async function read({ deps, target, options }: Work): Promise<KubernetesObject | undefined> {
  const object = await deps.client.find(target.type, target.ref, { signal: options.signal });
  if (object === undefined) deps.known?.delete(target.key);
  return object;
}

async function create(work: Work): Promise<ApplyResult<KubernetesObject>> {
  const object = await send(work, "create", { object: desiredNewObject(work.required) });
  return { change: "created", object };
}

async function change(work: Work, existing: KubernetesObject): Promise<ApplyResult<KubernetesObject>> {
  const plan = planApply(existing, work.required, work.options);
  if (plan.action === "none") return { change: "none", object: existing };
  if (existing.metadata.deletionTimestamp !== undefined) throw beingDeleted(work.required, "change");
  if (plan.action === "update") {
    const object = await send(work, "update", plan, existing);
    return { change: isSameVersion(object, existing) ? "none" : "updated", object };
  }
  return { change: "recreated", object: await recreate(work, existing, plan.object) };
}

async function recreate(work: Work, existing: KubernetesObject, object: KubernetesObject): Promise<KubernetesObject> {
  const { deps, target, required, options } = work;
  const { uid, resourceVersion } = existing.metadata;
  // In this very version: what somebody has changed since, such as which class is the default, would be lost.
  const call = { signal: options.signal, preconditions: { uid, resourceVersion } };
  try {
    await deps.client.delete(target.type, target.ref, call);
    deps.local?.note?.(target.type, target.ref, undefined);
  } catch (error) {
    if (isConflict(error)) throw error;
    if (!isNotFound(error)) {
      reportFailed(deps.events, "delete", required, error);
      throw error;
    }
  }
  reportDone(deps.events, "delete", required, `Deleting ${required.kind} to re-create it with updated parameters`);
  try {
    return await send(work, "create", { object });
  } catch (error) {
    // The deletion waits for a finalizer. "Already exists" would be a strange thing to tell of an object that is to be made.
    if (isAlreadyExists(error)) throw beingDeleted(required, "re-create");
    throw error;
  }
}

function beingDeleted(required: KubernetesObject, act: string): StowageError {
  const message = `failed to ${act} ${cliName(required)}, waiting for the original object to be deleted`;
  return new StowageError("OBJECT_BEING_DELETED", message);
}

/**
 * Sends it and tells of it. Not worth telling: that somebody else was faster, since it is tried again at once; that an optional kind
 * has gone; and a write of what was there already, to which the server answers with the same version.
 */
async function send(
  { deps, target, required, options }: Work,
  act: Exclude<ObjectAct, "delete">,
  { object, details }: { readonly object: KubernetesObject; readonly details?: string },
  existing?: KubernetesObject,
): Promise<KubernetesObject> {
  try {
    const written = await deps.client[act](target.type, object, { signal: options.signal });
    deps.local?.note?.(target.type, target.ref, written);
    if (!isSameVersion(written, existing)) reportDone(deps.events, act, required, details);
    return written;
  } catch (error) {
    const isRace =
      act === "create"
        ? isAlreadyExists(error) || (options.optional && isNotFound(error))
        : isConflict(error) || isNotFound(error);
    if (!isRace) reportFailed(deps.events, act, required, error);
    throw error;
  }
}

function isSameVersion(written: KubernetesObject, existing: KubernetesObject | undefined): boolean {
  return written.metadata.resourceVersion === existing?.metadata.resourceVersion;
}
