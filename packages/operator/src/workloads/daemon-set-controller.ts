import type { DaemonSet } from "@stowage/machinery";
import { generationStatus, type OperatorResource } from "../operator-client/index.ts";
import {
  type OperatorController,
  type OperatorSyncContext,
  operatorController,
} from "../operator-controllers/index.ts";
import { daemonSetConditions, withoutStableGeneration, withStableGeneration } from "./daemon-set-conditions.ts";
import {
  applyWorkload,
  desiredWorkload,
  removeWorkload,
  type WorkloadDeps,
  type WorkloadSpec,
  type WorkloadSync,
  workloadWatches,
} from "./workload-sync.ts";

/**
 * Keeps a DaemonSet as its asset and hooks say: the part of a driver that runs on every node.
 * Watches: the operator's resource, DaemonSets, and what it is given. Writes conditions: `<name>Available` and `<name>Progressing` with
 * the generation, as `<name>-CSIDriverNodeService`; `<name>Degraded`. Deletes: the DaemonSet, when the operand is removed.
 */
export function daemonSetController<T extends OperatorResource>(
  deps: WorkloadDeps<DaemonSet, T>,
  spec: WorkloadSpec<DaemonSet, T>,
): OperatorController {
  const { name } = spec;
  const sync = { deps, spec, fieldManager: `${name}-CSIDriverNodeService` };
  return operatorController(deps, {
    name,
    watches: workloadWatches(deps.informer, spec),
    resyncMs: 60_000,
    sync: (context) => syncDaemonSet(sync, context),
    remove: (context) => removeWorkload(sync, context),
  });
}

async function syncDaemonSet<T extends OperatorResource>(
  sync: WorkloadSync<DaemonSet, T>,
  context: OperatorSyncContext<T>,
): Promise<void> {
  const { deps, spec, fieldManager } = sync;
  const required = await desiredWorkload(sync, context);
  const { name = "", namespace } = required.metadata;
  const existing = deps.informer.objects.get({ name, namespace });
  let result = await applyWorkload(sync, withStableGeneration(required, existing), context);
  if (result.change === "recreated") result = await applyWorkload(sync, withoutStableGeneration(required), context);
  const generations = [generationStatus(deps.informer.type, result.object)];
  const conditions = daemonSetConditions(spec.name, result.object);
  await deps.operator.applyStatus(fieldManager, { conditions, generations }, context.signal);
}
