import type { Informer } from "@stowage/kube";
import { type KubernetesObject, StowageError } from "@stowage/machinery";
import { type ApplyDeps, type ApplyResult, applyObject, deleteObject, localCopies } from "../apply/index.ts";
import { type Asset, parseManifests, renderObject } from "../assets/index.ts";
import { checkObjectResolved } from "../assets/placeholders.ts";
import { lastGenerationOf, type OperatorResource } from "../operator-client/index.ts";
import {
  type OperatorController,
  type OperatorControllerDeps,
  type OperatorSyncContext,
  type OperatorWatch,
  operatorController,
  type RemovalProgress,
  removable,
  watching,
} from "../operator-controllers/index.ts";
import type { HookContext, Workload, WorkloadHook, WorkloadManifestHook } from "./hooks/index.ts";

export interface WorkloadDeps<W extends Workload, T extends OperatorResource = OperatorResource>
  extends OperatorControllerDeps<T>,
    Pick<ApplyDeps, "client" | "mapper"> {
  /** Of the workload's namespace at least. */
  readonly informer: Informer<W>;
}

export interface WorkloadSpec<W extends Workload, T extends OperatorResource = OperatorResource> {
  /** `AWSEBSDriverControllerServiceController`; of the conditions too. Renaming it leaves the old ones behind. */
  readonly name: string;
  readonly asset: Asset;
  /** See `controllerHooks` and `nodeHooks`. */
  readonly manifestHooks?: readonly WorkloadManifestHook<T>[];
  readonly objectHooks?: readonly WorkloadHook<W, T>[];
  /** What the hooks look at: Infrastructure, Secrets, ConfigMaps. */
  readonly watches?: readonly OperatorWatch[];
  /** Keeps the operator's resource until the workload is gone: see `operatorFinalizer`. */
  readonly finalizer?: string;
}

export interface WorkloadSync<W extends Workload, T extends OperatorResource> {
  readonly deps: WorkloadDeps<W, T>;
  readonly spec: WorkloadSpec<W, T>;
  /** Who says the conditions. */
  readonly fieldManager: string;
}

/** What the workload should be: manifest hooks on the text, then object hooks. */
export async function desiredWorkload<W extends Workload, T extends OperatorResource>(
  { spec }: WorkloadSync<W, T>,
  { operator, signal }: OperatorSyncContext<T>,
): Promise<W> {
  const { asset, manifestHooks, objectHooks } = spec;
  return renderObject<W, HookContext<T>>(asset, { manifestHooks, objectHooks, context: { operator, signal } });
}

export async function applyWorkload<W extends Workload, T extends OperatorResource>(
  { deps }: WorkloadSync<W, T>,
  required: W,
  { operator, signal }: OperatorSyncContext<T>,
): Promise<ApplyResult<W>> {
  const lastGeneration = lastGenerationOf(operator.status, deps.informer.type, required);
  return applyObject(applyDepsOf(deps), required, { lastGeneration, signal });
}

/** What all controllers of workloads have in common beside their sync. */
export function workloadController<W extends Workload, T extends OperatorResource>(
  sync: WorkloadSync<W, T>,
  syncWorkload: (context: OperatorSyncContext<T>) => Promise<void>,
): OperatorController {
  const { deps, spec } = sync;
  const { name, watches = [], finalizer } = spec;
  const controller = { name, watches: [watching(deps.informer), ...watches], resyncMs: 60_000, sync: syncWorkload };
  const remove = (context: OperatorSyncContext<T>) => removeWorkload(sync, context);
  return operatorController(deps, removable(controller, { operator: deps.operator, finalizer, remove }));
}

/** Takes the workload away with its Pods, then what was said of it. */
async function removeWorkload<W extends Workload, T extends OperatorResource>(
  { deps, spec, fieldManager }: WorkloadSync<W, T>,
  { operator, signal }: OperatorSyncContext<T>,
): Promise<RemovalProgress> {
  const identity = await identityOf(spec, { operator, signal });
  const change = await deleteObject(applyDepsOf(deps), identity, { propagationPolicy: "Foreground", signal });
  // Its Pods are still ending, and need what comes after.
  if (change === "deleting") return "waiting";
  // A condition that nobody keeps up to date would have the operator progressing for ever.
  if (operator.metadata.deletionTimestamp === undefined) await deps.operator.applyStatus(fieldManager, {}, signal);
  return "gone";
}

/**
 * Kind and name, which are enough to delete it. A hook that fails, for want of an image or of an Infrastructure, must not keep the
 * operand from being removed.
 */
async function identityOf<W extends Workload, T extends OperatorResource>(
  { asset, manifestHooks = [] }: WorkloadSpec<W, T>,
  context: HookContext<T>,
): Promise<KubernetesObject> {
  let { text } = asset;
  for (const hook of manifestHooks) {
    try {
      text = await hook(text, context);
    } catch {
      continue; // Its placeholders stay; that matters only if one is in the name.
    }
  }
  const [object] = parseManifests({ name: asset.name, text });
  if (object === undefined) throw new StowageError("ASSET_INVALID", `${asset.name} holds 0 objects, not one`);
  const { apiVersion, kind, metadata } = object;
  const identity = { apiVersion, kind, metadata: { name: metadata.name, namespace: metadata.namespace } };
  checkObjectResolved(asset.name, identity);
  return identity;
}

function applyDepsOf<W extends Workload, T extends OperatorResource>(deps: WorkloadDeps<W, T>): ApplyDeps {
  const { client, mapper, events, informer } = deps;
  return {
    client,
    mapper,
    events,
    local: localCopies([{ informer }]),
  };
}
