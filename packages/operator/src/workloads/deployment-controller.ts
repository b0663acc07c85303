import type { Deployment } from "@stowage/machinery";
import type { OperatorResource } from "../operator-client/index.ts";
import type { OperatorController } from "../operator-controllers/index.ts";
import {
  availableCondition,
  deploymentFailure,
  deploymentProgress,
  progressingCondition,
} from "./deployment-conditions.ts";
import { PodTroubles } from "./pod-troubles.ts";
import { type RolloutDeps, type RolloutSync, syncRollout } from "./rollout-sync.ts";
import { isProgressingTooLong } from "./rollout-time.ts";
import { type WorkloadSpec, workloadController } from "./workload-sync.ts";

export interface DeploymentSpec<T extends OperatorResource> extends WorkloadSpec<Deployment, T> {
  /** False where the operand is well without it: `<name>Available` is not said then. */
  readonly saysAvailable?: boolean;
}

/**
 * Keeps a Deployment as its asset and hooks say: the controller part of a driver.
 * Watches: the operator's resource, Deployments, and what it is given. Writes conditions: `<name>Available` and `<name>Progressing`
 * with the generation, as `<name>-Deployment`; `<name>Degraded`, also when a rollout has failed or takes more than 15 minutes.
 * Deletes: the Deployment, when the operand is removed.
 */
export function deploymentController<T extends OperatorResource>(
  deps: RolloutDeps<Deployment, T>,
  spec: DeploymentSpec<T>,
): OperatorController {
  const { name, saysAvailable = true } = spec;
  const sync: RolloutSync<Deployment, T> = {
    deps,
    spec,
    fieldManager: `${name}-Deployment`,
    troubles: new PodTroubles(deps),
    conditionsOf: (deployment) => [
      ...(saysAvailable ? [availableCondition(name, deployment)] : []),
      progressingCondition(name, deployment),
    ],
    failureOf(deployment, { status }) {
      const isLate =
        deploymentProgress(deployment) !== undefined && isProgressingTooLong(status, name, deps.clock.nowMs());
      return deploymentFailure(deployment) ?? (isLate ? "Deployment was progressing too long" : undefined);
    },
  };
  return workloadController(sync, (context) => syncRollout(sync, context));
}
