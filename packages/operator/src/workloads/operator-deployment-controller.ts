import type { Deployment } from "@stowage/machinery";
import type { OperatorResource } from "../operator-client/index.ts";
import type { OperatorController } from "../operator-controllers/index.ts";
import { deploymentFailure, deploymentProgress } from "./deployment-conditions.ts";
import { PodTroubles } from "./pod-troubles.ts";
import { type RolloutDeps, type RolloutSync, syncRollout } from "./rollout-sync.ts";
import { type WorkloadSpec, workloadController } from "./workload-sync.ts";

export interface OperatorDeploymentSpec<T extends OperatorResource> extends Omit<WorkloadSpec<Deployment, T>, "name"> {
  /** `AWSEBS`, `OpenStackCinder`: what the conditions about one driver begin with. */
  readonly conditionPrefix: string;
}

/**
 * Keeps the Deployment of another operator, that of a driver. There is no Available condition: how the driver is, is said by its own
 * operator, and one that has just started would make the whole of storage unavailable.
 * Watches: the operator's resource, Deployments, and what it is given. Writes conditions: `<prefix>Progressing` with the generation,
 * and `<prefix>CSIDriverOperatorDeploymentDegraded`, also when a rollout has failed. Deletes: the Deployment, when the operand is removed.
 */
export function operatorDeploymentController<T extends OperatorResource>(
  deps: RolloutDeps<Deployment, T>,
  { conditionPrefix, ...rest }: OperatorDeploymentSpec<T>,
): OperatorController {
  const name = `${conditionPrefix}CSIDriverOperatorDeployment`;
  const sync: RolloutSync<Deployment, T> = {
    deps,
    spec: { ...rest, name },
    fieldManager: `${name}-Deployment`,
    troubles: new PodTroubles(deps),
    conditionsOf(deployment) {
      // Without "CSIDriverOperatorDeployment": so it is called on every cluster that there is.
      const type = `${conditionPrefix}Progressing`;
      const message = deploymentProgress(deployment);
      return [
        message === undefined ? { type, status: "False" } : { type, status: "True", reason: "Deploying", message },
      ];
    },
    failureOf: deploymentFailure,
  };
  return workloadController(sync, (context) => syncRollout(sync, context));
}
