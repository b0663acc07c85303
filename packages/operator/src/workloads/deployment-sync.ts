import type { KubeClient } from "@stowage/kube";
import { type Deployment, StowageError } from "@stowage/machinery";
import { TerminalError } from "../controllers/index.ts";
import { generationStatus, type OperatorResource, type StatedCondition } from "../operator-client/index.ts";
import type { OperatorSyncContext } from "../operator-controllers/index.ts";
import type { PodTroubles } from "./pod-troubles.ts";
import { applyWorkload, desiredWorkload, type WorkloadDeps, type WorkloadSync } from "./workload-sync.ts";

export interface DeploymentDeps<T extends OperatorResource = OperatorResource> extends WorkloadDeps<Deployment, T> {
  /** `list` is for the Pods of a rollout that has failed. */
  readonly client: WorkloadDeps<Deployment, T>["client"] & Pick<KubeClient, "list">;
}

export interface DeploymentSync<T extends OperatorResource> extends WorkloadSync<Deployment, T> {
  readonly deps: DeploymentDeps<T>;
  readonly conditionsOf: (deployment: Deployment) => readonly StatedCondition[];
  readonly troubles: PodTroubles;
  /** What is wrong with it; undefined when nothing is. */
  readonly failureOf: (deployment: Deployment, operator: T) => string | undefined;
}

/** Applies the Deployment, says how it is, and fails when Kubernetes or the clock say that its Pods will not start. */
export async function syncDeployment<T extends OperatorResource>(
  sync: DeploymentSync<T>,
  context: OperatorSyncContext<T>,
): Promise<void> {
  const { deps, fieldManager } = sync;
  const required = await desiredWorkload(sync, context);
  const { object } = await applyWorkload(sync, required, context);
  const generations = [generationStatus(deps.informer.type, object)];
  const conditions = sync.conditionsOf(object);
  await deps.operator.applyStatus(fieldManager, { conditions, generations }, context.signal);
  const failure = sync.failureOf(object, context.operator);
  if (failure !== undefined) throw await notStarting(sync, { object, failure, signal: context.signal });
}

/** Trying again at once would not help the Pods: it is looked at when the Deployment changes, and at the resync. */
async function notStarting<T extends OperatorResource>(
  { troubles }: DeploymentSync<T>,
  { object, failure, signal }: { readonly object: Deployment; readonly failure: string; readonly signal: AbortSignal },
): Promise<TerminalError> {
  const message = [failure, ...(await troubles.find(object, signal))].join("; ");
  return new TerminalError(message, { cause: new StowageError("WORKLOAD_NOT_STARTING", message) });
}
