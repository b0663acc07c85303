import type { DaemonSet } from "@stowage/machinery";
import type { ApplyResult } from "../apply/index.ts";
import type { OperatorResource } from "../operator-client/index.ts";
import type { OperatorController, OperatorSyncContext } from "../operator-controllers/index.ts";
import {
  daemonSetConditions,
  daemonSetProgress,
  withoutStableGeneration,
  withStableGeneration,
} from "./daemon-set-conditions.ts";
import { PodTroubles } from "./pod-troubles.ts";
import { type RolloutDeps, type RolloutSync, syncRollout } from "./rollout-sync.ts";
import { isProgressingTooLong } from "./rollout-time.ts";
import { applyWorkload, type WorkloadSpec, type WorkloadSync, workloadController } from "./workload-sync.ts";

/**
 * Keeps a DaemonSet as its asset and hooks say: the part of a driver that runs on every node.
 * Watches: the operator's resource, DaemonSets, and what it is given. Writes conditions: `<name>Available` and `<name>Progressing` with
 * the generation, as `<name>-CSIDriverNodeService`; `<name>Degraded`, also when a rollout takes more than 15 minutes, which is the only
 * sign of a failure that there is: Kubernetes never gives a DaemonSet up. Deletes: the DaemonSet, when the operand is removed.
 */
export function daemonSetController<T extends OperatorResource>(
  deps: RolloutDeps<DaemonSet, T>,
  spec: WorkloadSpec<DaemonSet, T>,
): OperatorController {
  const { name } = spec;
  const sync: RolloutSync<DaemonSet, T> = {
    deps,
    spec,
    fieldManager: `${name}-CSIDriverNodeService`,
    troubles: new PodTroubles(deps),
    conditionsOf: (daemonSet) => daemonSetConditions(name, daemonSet),
    failureOf(daemonSet, { status }) {
      const isLate =
        daemonSetProgress(daemonSet) !== undefined && isProgressingTooLong(status, name, deps.clock.nowMs());
      return isLate ? "DaemonSet was progressing too long" : undefined;
    },
  };
  return workloadController(sync, (context) => syncRollout(sync, context, applyDaemonSet));
}

/** With a note of the generation that is stable, which a new object does not take over. */
async function applyDaemonSet<T extends OperatorResource>(
  sync: WorkloadSync<DaemonSet, T>,
  required: DaemonSet,
  context: OperatorSyncContext<T>,
): Promise<ApplyResult<DaemonSet>> {
  const { name = "", namespace } = required.metadata;
  const existing = sync.deps.informer.objects.get({ name, namespace });
  const result = await applyWorkload(sync, withStableGeneration(required, existing), context);
  return result.change === "recreated" ? applyWorkload(sync, withoutStableGeneration(required), context) : result;
}
