/**
 * Deployments. `deployment-controller.ts`: which way one goes; `rollout-steps.ts` and `new-replica-set.ts`: what is done on it, by what
 * `rollout.ts` has. Pure: `rollout-amounts.ts`, `old-set-steps.ts`, `proportions.ts` (sizes), `revisions.ts` and `set-order.ts`
 * (history), `deployment-status.ts` (what is said of it).
 */
export { makeDeploymentController } from "./deployment-controller.ts";
