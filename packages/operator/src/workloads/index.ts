/**
 * The Deployments and DaemonSets of an operator. In reading order: `deployment-controller.ts` (a driver's controller),
 * `operator-deployment-controller.ts` (the operator of a driver), `daemon-set-controller.ts` (a driver on its nodes); what they have
 * in common is in `workload-sync.ts` and `rollout-sync.ts`, what they say in `*-conditions.ts` and `pod-troubles.ts`. `hooks/` fit
 * a manifest to its cluster. `deployment-version-controller.ts` tells HyperShift which version runs.
 */
export { daemonSetProgress } from "./daemon-set-conditions.ts";
export { daemonSetController } from "./daemon-set-controller.ts";
export { deploymentFailure, deploymentProgress } from "./deployment-conditions.ts";
export { deploymentController } from "./deployment-controller.ts";
export { deploymentVersionController, versionAnnotation } from "./deployment-version-controller.ts";
export * from "./hooks/index.ts";
export { type OperatorDeploymentSpec, operatorDeploymentController } from "./operator-deployment-controller.ts";
export type { RolloutDeps } from "./rollout-sync.ts";
export type { WorkloadDeps, WorkloadSpec } from "./workload-sync.ts";
