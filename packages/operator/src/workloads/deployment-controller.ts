import type { Deployment } from "@stowage/machinery";
import type { OperatorResource } from "../operator-client/index.ts";
import { type OperatorController, operatorController } from "../operator-controllers/index.ts";
import {
  availableCondition,
  deploymentFailure,
  deploymentProgress,
  isProgressingTooLong,
  progressingCondition,
} from "./deployment-conditions.ts";
import { type DeploymentDeps, type DeploymentSync, syncDeployment } from "./deployment-sync.ts";
import { PodTroubles } from "./pod-troubles.ts";
import { removeWorkload, type WorkloadSpec, workloadWatches } from "./workload-sync.ts";

/**
 * Keeps a Deployment as its asset and hooks say: the controller part of a driver.
 * Watches: the operator's resource, Deployments, and what it is given. Writes conditions: `<name>Available` and `<name>Progressing`
 * with the generation, as `<name>-Deployment`; `<name>Degraded`, also when a rollout has failed or takes more than 15 minutes.
 * Deletes: the Deployment, when the operand is removed.
 */
export function deploymentController<T extends OperatorResource>(
  deps: DeploymentDeps<T>,
  spec: WorkloadSpec<Deployment, T>,
): OperatorController {
  const { name } = spec;
  const sync: DeploymentSync<T> = {
    deps,
    spec,
    fieldManager: `${name}-Deployment`,
    troubles: new PodTroubles(deps),
    conditionsOf: (deployment) => [availableCondition(name, deployment), progressingCondition(name, deployment)],
    failureOf(deployment, { status }) {
      const isLate =
        deploymentProgress(deployment) !== undefined && isProgressingTooLong(status, name, deps.clock.nowMs());
      return deploymentFailure(deployment) ?? (isLate ? "Deployment was progressing too long" : undefined);
    },
  };
  return operatorController(deps, {
    name,
    watches: workloadWatches(deps.informer, spec),
    resyncMs: 60_000,
    sync: (context) => syncDeployment(sync, context),
    remove: (context) => removeWorkload(sync, context),
  });
}
