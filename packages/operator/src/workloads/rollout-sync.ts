import type { KubeClient } from "@stowage/kube";
import { StowageError } from "@stowage/machinery";
import type { ApplyResult } from "../apply/index.ts";
import { TerminalError } from "../controllers/index.ts";
import { generationStatus, type OperatorResource, type StatedCondition } from "../operator-client/index.ts";
import type { OperatorSyncContext } from "../operator-controllers/index.ts";
import type { Workload } from "./hooks/index.ts";
import type { PodTroubles } from "./pod-troubles.ts";
import { applyWorkload, desiredWorkload, type WorkloadDeps, type WorkloadSync } from "./workload-sync.ts";

export interface RolloutDeps<W extends Workload, T extends OperatorResource = OperatorResource>
  extends WorkloadDeps<W, T> {
  /** `list` is for the Pods of a rollout that has failed. */
  readonly client: WorkloadDeps<W, T>["client"] & Pick<KubeClient, "list">;
}

export interface RolloutSync<W extends Workload, T extends OperatorResource> extends WorkloadSync<W, T> {
  readonly deps: RolloutDeps<W, T>;
  readonly conditionsOf: (workload: W) => readonly StatedCondition[];
  readonly troubles: PodTroubles;
  /** What is wrong with it; undefined when nothing is. */
  readonly failureOf: (workload: W, operator: T) => string | undefined;
}

type Apply<W extends Workload, T extends OperatorResource> = (
  sync: RolloutSync<W, T>,
  required: W,
  context: OperatorSyncContext<T>,
) => Promise<ApplyResult<W>>;

/** Applies the workload, says how it is, and fails when Kubernetes or the clock say that its Pods will not start. */
export async function syncRollout<W extends Workload, T extends OperatorResource>(
  sync: RolloutSync<W, T>,
  context: OperatorSyncContext<T>,
  apply: Apply<W, T> = applyWorkload,
): Promise<void> {
  const { deps, fieldManager } = sync;
  const required = await desiredWorkload(sync, context);
  const { object } = await apply(sync, required, context);
  const generations = [generationStatus(deps.informer.type, object)];
  const conditions = sync.conditionsOf(object);
  await deps.operator.applyStatus(fieldManager, { conditions, generations }, context.signal);
  const failure = sync.failureOf(object, context.operator);
  if (failure !== undefined) throw await notStarting(sync.troubles, { object, failure, signal: context.signal });
}

/** Trying again at once would not help the Pods: it is looked at when the workload changes, and at the resync. */
async function notStarting(
  troubles: PodTroubles,
  { object, failure, signal }: { readonly object: Workload; readonly failure: string; readonly signal: AbortSignal },
): Promise<TerminalError> {
  const message = [failure, ...(await troubles.find(object, signal))].join("; ");
  return new TerminalError(message, { cause: new StowageError("WORKLOAD_NOT_STARTING", message) });
}
