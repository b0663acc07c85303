import { type KubernetesObject, StowageError } from "@stowage/machinery";
import {
  type ApplyDeps,
  applyObject,
  cliName,
  deleteObject,
  isKindMissing,
  specHash,
  targetOf,
} from "../apply/index.ts";
import type { OperatorResource } from "../operator-client/index.ts";
import {
  type OperatorController,
  type OperatorControllerDeps,
  type OperatorSyncContext,
  type OperatorWatch,
  operatorController,
  type RemovalProgress,
  removable,
} from "../operator-controllers/index.ts";
import { createOrderedDeletion } from "./ordered-deletion.ts";
import { actOn, inOrder, rankOf, type StaticAct, type StaticResource } from "./static-resource.ts";
import { VerificationSpread } from "./verification-spread.ts";

export interface StaticResourcesDeps<T extends OperatorResource = OperatorResource>
  extends OperatorControllerDeps<T>,
    Omit<ApplyDeps, "known"> {}

export interface StaticResourcesSpec<T extends OperatorResource = OperatorResource> {
  /** `AWSEBSDriverGuestStaticResourcesController`; of the condition `<name>Degraded` too. */
  readonly name: string;
  /** Asked anew at each sync: what is wanted may depend on the operator's resource. */
  readonly resources: (
    operator: T,
    signal: AbortSignal,
  ) => readonly StaticResource[] | Promise<readonly StaticResource[]>;
  /** Objects of these are compared with the local copies at every sync, and what was changed is undone at once. */
  readonly watches?: readonly OperatorWatch[];
  readonly resyncMs?: number;
  /** In which time every object is looked at on the server once. */
  readonly verifyPeriodMs?: number;
  /** When the operand is to go: `delete` removes every object, `sync` goes on as before. */
  readonly whenRemoved?: "sync" | "delete";
  /** Of what is deleted then. */
  readonly removal?: StaticRemoval;
}

/** What goes last: others still need it. */
export interface StaticRemoval {
  /** Keeps the operator's resource until everything is deleted: see `operatorFinalizer`. */
  readonly finalizer: string;
  /** Whether something is left that has to be gone before. */
  isBlocked(): boolean;
  /** What the operand has made while it ran, and nobody else takes away: kind and name are enough. */
  leftovers?(): readonly KubernetesObject[];
}

/**
 * Keeps a list of objects as it should be.
 * Watches: the operator's resource and what it is given. Writes condition: `<name>Degraded`, as `<name>-StaticResources`.
 * Deletes: what a condition says, and everything on removal where it is told to.
 */
export function staticResourcesController<T extends OperatorResource>(
  deps: StaticResourcesDeps<T>,
  spec: StaticResourcesSpec<T>,
): OperatorController {
  const { name, watches, resyncMs = 60_000, verifyPeriodMs = 600_000, whenRemoved = "sync", removal } = spec;
  const applyDeps: ApplyDeps = { ...deps, known: new Set() };
  const newPass = (): Pass => ({ deps: applyDeps, spread: new VerificationSpread(deps.clock, verifyPeriodMs) });
  const deletion = createOrderedDeletion(applyDeps);
  let pass = newPass();
  /** When everything was last seen to be gone. */
  let goneMs: number | undefined;
  const sync = async ({ operator, signal }: OperatorSyncContext<T>) => {
    goneMs = undefined;
    await syncStaticResources(pass, await spec.resources(operator, signal), signal);
  };
  const remove = async (context: OperatorSyncContext<T>): Promise<RemovalProgress> => {
    if (removal?.isBlocked()) return "waiting";
    const nowMs = deps.clock.monotonicMs();
    if (whenRemoved === "sync") await sync(context);
    else if (goneMs === undefined || nowMs - goneMs >= verifyPeriodMs) {
      pass = newPass();
      const resources = await spec.resources(context.operator, context.signal);
      const objects = [...(removal?.leftovers?.() ?? []), ...resources.map(({ object }) => object)];
      if ((await deletion(objects, context.signal)) === "waiting") return "waiting";
      goneMs = nowMs;
    }
    return "gone";
  };
  const controller = { name, watches, resyncMs, fieldManager: `${name}-StaticResources`, sync };
  const { operator } = deps;
  return operatorController(deps, removable(controller, { operator, finalizer: removal?.finalizer, remove }));
}

interface Pass {
  readonly deps: ApplyDeps;
  readonly spread: VerificationSpread;
}

/** One that fails does not keep the others from being looked at. */
async function syncStaticResources(
  pass: Pass,
  resources: readonly StaticResource[],
  signal: AbortSignal,
): Promise<void> {
  const steps = inOrder(resources).map((resource) => ({ resource, act: actOn(resource) }));
  const wanted = steps.filter(({ act }) => act !== "delete");
  const unwanted = steps.filter(({ act }) => act === "delete").toReversed();
  const all = [...wanted, ...unwanted].map((step) => ({ ...step, ...identityOf(step) }));
  const due = pass.spread.due(new Map(all.map(({ key, content }) => [key, content])));
  const failures: string[] = [];
  for (const group of togetherFrom(all)) {
    if (signal.aborted) return;
    const outcomes = await Promise.all(
      group.map((step) => outcomeOf(pass, step, { isDue: due.has(step.key), signal })),
    );
    failures.push(...outcomes.filter((failure) => failure !== undefined));
  }
  if (failures.length > 0) throw new StowageError("STATIC_RESOURCES_FAILED", failures.join("\n"));
}

/** More than this would only wait in the server's queues, and keep others out of them. */
const MAXIMUM_AT_ONCE = 4;

/** Those of one rank do not need each other. What is to go, goes one by one: that never has to be fast. */
function togetherFrom(steps: readonly Step[]): Step[][] {
  const groups: Step[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    const first = last?.[0];
    const isAlike =
      step.act !== "delete" && first?.act === step.act && rankOf(first.resource) === rankOf(step.resource);
    if (last !== undefined && isAlike && last.length < MAXIMUM_AT_ONCE) last.push(step);
    else groups.push([step]);
  }
  return groups;
}

/** What went wrong; undefined when nothing did. */
async function outcomeOf(
  pass: Pass,
  step: Step,
  options: { readonly isDue: boolean; readonly signal: AbortSignal },
): Promise<string | undefined> {
  try {
    await syncStep(pass, step, options);
    return undefined;
  } catch (error) {
    pass.spread.failed(step.key);
    const why = error instanceof Error ? error.message : String(error);
    return `"${step.resource.asset}" (${cliName(step.resource.object)}): ${why}`;
  }
}

interface Step {
  readonly resource: StaticResource;
  readonly act: StaticAct;
  readonly key: string;
  readonly content: string;
}

async function syncStep(
  { deps, spread }: Pass,
  { resource, act, key, content }: Step,
  { isDue, signal }: { readonly isDue: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const { object, optional } = resource;
  if (act === "contradiction") {
    throw new StowageError("OBJECT_REFUSED", "cannot create and delete at the same time, skipping");
  }
  // Comparing with a local copy costs nothing; what there is none of has to wait for its turn.
  if (!isDue && !(await isCovered(deps, resource))) return;
  if (act === "create") {
    const { change } = await applyObject(deps, object, { optional, signal });
    // An API may appear at any time: what was left out is asked for at each resync.
    if (change === "skipped") return;
  }
  if (act === "delete" && (await isThere(deps, object, signal))) await deleteObject(deps, object, { signal });
  if (isDue) spread.verified(key, content);
}

/** Asked before it is deleted: what has been gone for long is looked for again and again, and that must not count as writing. */
async function isThere(deps: ApplyDeps, object: KubernetesObject, signal: AbortSignal): Promise<boolean> {
  try {
    const { type, ref } = await targetOf(deps, object);
    if (deps.local?.covers(type, ref)) return deps.local.find(type, ref) !== undefined;
    return (await deps.client.find(type, ref, { signal })) !== undefined;
  } catch (error) {
    if (isKindMissing(error)) return false;
    throw error;
  }
}

async function isCovered(deps: ApplyDeps, { object }: StaticResource): Promise<boolean> {
  if (deps.local === undefined) return false;
  try {
    const { type, ref } = await targetOf(deps, object);
    return deps.local.covers(type, ref);
  } catch (error) {
    if (isKindMissing(error)) return false;
    throw error;
  }
}

function identityOf({ resource: { object }, act }: { resource: StaticResource; act: StaticAct }) {
  return { key: `${object.apiVersion} ${cliName(object)}`, content: `${act} ${specHash(object)}` };
}
