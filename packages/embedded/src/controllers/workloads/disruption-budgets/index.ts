/**
 * PodDisruptionBudgets. `disruption-controller.ts`: what happens to one; `wanted-scale.ts`: how many Pods their controllers want;
 * `budget-status.ts`: what is said of it, purely.
 */
export { makeDisruptionController } from "./disruption-controller.ts";
