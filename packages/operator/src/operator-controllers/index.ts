/**
 * Controllers of operators, each with one key. `operator-controller.ts` is what all are made with: watches, resync, management
 * state, and the wrapper that reports (`degraded-report.ts`, in the words of `failure-text.ts`; good news as late as
 * `first-report.ts` says). `removable.ts` ties a
 * controller's finalizer to what it made. Three that every operator has: `log-level-controller.ts`,
 * `management-state-controller.ts`, `stale-conditions.ts`.
 */
export { failureText } from "./failure-text.ts";
export { createFirstReport } from "./first-report.ts";
export { type LogLevelControl, logLevelController } from "./log-level-controller.ts";
export { managementStateController } from "./management-state-controller.ts";
export {
  type OperatorController,
  type OperatorControllerDeps,
  type OperatorControllerSpec,
  type OperatorSyncContext,
  operatorController,
} from "./operator-controller.ts";
export { type OperatorWatch, type OperatorWatchFilter, startingAfter, watching } from "./operator-watch.ts";
export { type RemovableOptions, type RemovalProgress, removable } from "./removable.ts";
export { staleConditionsController } from "./stale-conditions.ts";
